//! The WGSL kernels of treebounds, and the linker that joins them from fragments.
//!
//! # Theory
//! A kernel is a list of fragments. Module scope in WGSL has no order, so
//! fragments link by standing in one file: a kernel calls `block_build`, and
//! whichever fragment defines it (with subgroups or without) is the one that
//! runs. A fragment about trees in general names its functions `heap_...` and is
//! taken once for every tree, under that tree's name.
//!
//! # Practice
//! [`link`] gives the text of a [`Kernel`] in a [`Variant`]: constants, structs
//! and bindings from Rust ([`layout`], [`binding`]), then the fragments. What a
//! compiler says of a line of it, [`Linked::locate`] says of a fragment's line.
//!
//! ```
//! use treebounds_shaders::{Kernel, Task, Variant, link};
//! let linked = link(Kernel::Survive(Task::Scene), &Variant::default())?;
//! assert!(linked.source().contains("fn kernel(tile: u32, thread: u32, subgroup: u32)"));
//! # Ok::<(), treebounds_shaders::VariantError>(())
//! ```

pub mod binding;
mod composition;
mod fragment;
pub mod kernel;
pub mod layout;
mod linker;
pub mod task;
pub mod variant;

pub use binding::{Access, Binding};
pub use kernel::{Kernel, Reach};
pub use layout::{BinPlan, BinStatus, Counts, Level, Params, Plan};
pub use linker::{Custom, Linked, link, link_custom};
pub use task::Task;
pub use variant::{RectFormat, Target, Variant, VariantError};

/// The README's examples compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
