//! The linker: files of WGSL in, one WGSL module out.

use crate::layout::{
    self, BinCell, BinPlan, BinSegment, BinStatus, Counts, MatchLevel, MatchPlan, Params,
};
use crate::linked::Linked;
use crate::module_linker::Modules;
use crate::source;
use crate::{Kernel, Variant, VariantError};
use std::fmt::Write;

/// Why a kernel does not link.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// The kernel does not exist in this variant.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// A module does not parse, or a name that it imports or a condition that it tests does not exist.
    #[error("{file}, line {line}: {message}")]
    Wgsl {
        /// The file, [`Linked::GIVEN`] for the caller's own.
        file: String,
        /// The line, from 1; 0 where none is known.
        line: usize,
        /// What is wrong.
        message: String,
    },
}

/// WGSL of the caller's own, in the place of ours.
///
/// Each is a module of its own: its names clash with none of ours, and it may import from ours
/// (`import package::constants::NONE;`). Compile it with checks of indices and loops, unless its author promises that it
/// needs none.
#[derive(Clone, Copy, Debug)]
pub struct Custom<'a> {
    /// The role of a tag, for matching: a module that declares `fn role(tag: u32) -> u32`, 1 for what opens, 2
    /// for what closes, 0 for what does neither. Only the lowest two bits count; 3 does neither.
    pub role: &'a str,
    /// The monoid of [`Stream::Monoid`](crate::tree::Stream): a module that declares the types `Input`,
    /// `Product` and `Output`, and the functions `product_identity`, `product_load`,
    /// `product_combine` and `product_store`.
    pub monoid: &'a str,
    /// The host of [`Stream::Host`](crate::tree::Stream): a module with bindings of its own in group 1, and the
    /// functions `host_count`, `host_viewport`, `host_role`, `host_rect`, `host_top` (which gives a
    /// `HostTop`) and `host_emit`.
    pub host: &'a str,
}

impl Default for Custom<'_> {
    fn default() -> Self {
        Self { role: source::ROLE, monoid: source::MONOID, host: source::HOST }
    }
}

/// Links a kernel in a variant. Its entry point is `main`.
///
/// # Errors
/// [`LinkError::Variant`] of [`Kernel::check`].
pub fn link(kernel: Kernel, variant: &Variant) -> Result<Linked, LinkError> {
    link_custom(kernel, variant, &Custom::default())
}

/// [`link`] with WGSL of the caller's own, where the kernel has a place for it.
///
/// # Errors
/// As [`link`]; [`LinkError::Wgsl`] where the caller's WGSL does not parse or lacks a declaration.
pub fn link_custom(
    kernel: Kernel,
    variant: &Variant,
    custom: &Custom<'_>,
) -> Result<Linked, LinkError> {
    kernel.check(variant)?;
    if let Kernel::Tree(kernel) = kernel {
        return kernel.link(variant, custom);
    }
    let paired = kernel.is_paired(variant);
    let variant = &if paired { variant.reducing() } else { *variant };
    let modules = Modules {
        kernel: kernel.file(),
        features: kernel.features(variant, paired),
        constants: constants(variant),
        layout: structs(),
        slots: given(&[("role", custom.role, source::ROLE)]),
    };
    modules.link()
}

/// The modules that the caller gave: a name, the text, and the default text.
pub(crate) fn given<'a>(slots: &[(&'static str, &'a str, &str)]) -> Vec<(&'static str, &'a str)> {
    slots.iter().filter(|slot| slot.1 != slot.2).map(|slot| (slot.0, slot.1)).collect()
}

/// Every constant that a kernel of matching or binning may use.
fn constants(variant: &Variant) -> String {
    let mut text = String::new();
    let own = [
        ("WORKGROUP_SIZE", variant.workgroup_size()),
        ("PER_THREAD", variant.per_thread()),
        ("TILE", variant.tile()),
        ("PER_WORD", variant.per_word()),
        ("WORDS", variant.words()),
        ("QUADS", variant.quads()),
        ("CACHED_OPENS", variant.cached_opens()),
    ];
    for (name, value) in own.into_iter().chain(layout::constants()) {
        // Writing to a string does not fail.
        let _ = writeln!(text, "const {name}: u32 = {value}u;");
    }
    let _ = writeln!(text, "const MAX: f32 = {};", layout::MAX);
    text
}

/// Every struct that Rust shares with kernels of matching or binning.
fn structs() -> String {
    let all = [
        Params::WGSL,
        Counts::WGSL,
        BinPlan::WGSL,
        BinStatus::WGSL,
        BinCell::WGSL,
        BinSegment::WGSL,
        MatchPlan::WGSL,
        MatchLevel::WGSL,
    ];
    all.concat()
}
