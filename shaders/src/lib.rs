//! The WGSL kernels of treebounds, and the linker that joins their files.
//!
//! # Theory
//! Each kernel has a WGSL file, which declares its bindings, and imports from the files of `wgsl/lib` and from the constants
//! and structs that are shared with Rust. Files use the syntax of [WESL](https://wesl-lang.org) for imports and conditions
//! (`@if`). Linking copies the declarations that a kernel uses into one WGSL module, including comments, and omits the code
//! that conditions exclude.
//!
//! # Practice
//! [`link`] returns the text of a [`Kernel`] in a [`Variant`], and the buffers that it binds. When a compiler reports a line
//! of that text, [`Linked::locate`] returns the original file and line.
//!
//! ```
//! use treebounds_shaders::{Kernel, Size, Stream, Task, TreeKernel, Variant, link};
//!
//! let clips_and_contents = Task::both(Stream::Scene);
//! for kernel in TreeKernel::steps(clips_and_contents, Size::Near) {
//!     let linked = link(Kernel::Tree(kernel), &Variant::default())?;
//!     assert!(linked.source().contains("fn main("));
//! }
//! # Ok::<(), treebounds_shaders::LinkError>(())
//! ```

pub mod kernel;
pub mod layout;
mod linker;
mod source;
pub mod tree;
mod variant;
mod wgsl;

pub use kernel::{BinScan, FilterStep, Kernel, link, link_custom, link_overlay};
pub use layout::{
    Access, BinCell, BinPlan, BinSegment, BinStatus, Binding, BracketCounts, BracketSegment,
    Counts, FilterPlan, MatchLevel, MatchPlan, OverlayView, Params, TreePlan,
};
pub use linker::{Custom, Linked};
pub use source::{FILTER_LEVELS, NEAREST_FILTERS};
pub use tree::{Size, Step, Stream, Task, TreeKernel};
pub use variant::{Target, Variant, VariantError};
pub use wgsl::LinkError;

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
