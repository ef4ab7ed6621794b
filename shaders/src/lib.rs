//! The WGSL kernels of treebounds, and how they are linked.
//!
//! # Theory
//! A kernel is a file: it declares its bindings, and imports what it needs from the
//! files of `wgsl/lib`, from constants and from structs that Rust generates. The crate
//! `wesl` resolves imports and conditions (`@if`) and leaves out what nothing uses.
//!
//! # Practice
//! [`link`] gives the text of a [`Kernel`] in a [`Variant`], and the buffers that it binds. What a compiler says of a
//! line of it, [`Linked::locate`] says of a file's line.
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

pub mod binding;
pub mod kernel;
pub mod layout;
mod linked;
mod linker;
mod module_linker;
mod source;
pub mod tree;
pub mod variant;

pub use binding::{Access, Binding};
pub use kernel::{BinScan, Kernel};
pub use layout::{
    BinCell, BinPlan, BinSegment, BinStatus, Counts, MatchLevel, MatchPlan, Params, TreePlan,
};
pub use linked::Linked;
pub use linker::{Custom, LinkError, link, link_custom};
pub use tree::{Size, Step, Stream, Task, TreeKernel};
pub use variant::{Target, Variant, VariantError};

/// The README's examples compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
