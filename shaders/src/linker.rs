//! The linker: fragments in, one WGSL module out.

use crate::fragment::{self as part, Fragment};
use crate::layout::{self, BinPlan, BinStatus, Counts, Level, Params, Plan};
use crate::{Kernel, Target, Variant, VariantError};
use std::fmt::Write;

/// A linked kernel: its text, and which line of it came from where.
#[derive(Clone, Debug)]
pub struct Linked {
    source: String,
    /// Ascending: the line (from 1) on which a fragment starts, and its file.
    starts: Vec<(usize, &'static str)>,
}

impl Linked {
    /// Where a line came from that the caller gave.
    pub const GIVEN: &'static str = "the WGSL that was given";

    /// The WGSL.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The file of the fragment that this line (from 1) came from, and its line
    /// there. What the linker itself wrote is in no file: `("", line)`; what the caller gave is in [`Linked::GIVEN`].
    pub fn locate(&self, line: usize) -> (&'static str, usize) {
        match self.starts.iter().rev().find(|(start, _)| *start <= line) {
            Some((start, file)) => (file, line - start + 1),
            None => ("", line),
        }
    }
}

/// WGSL of the caller's own, in the place of ours.
///
/// The text can name all that the kernel's own can: compile it with checks of
/// indices and loops, unless its author promises that it needs none. Names of its own may begin with `my_`, as no
/// name of a kernel does.
#[derive(Clone, Copy, Debug)]
pub struct Custom<'a> {
    /// What kernels of matching that read tags make of them:
    /// `fn role(tag: u32) -> u32`, 1 for what opens, 2 for what closes, 0 for what does
    /// neither. Only the lowest two bits count; 3 does neither.
    pub role: &'a str,
    /// The monoid of [`Task::RootFix`](crate::Task) and `LeafFix`: the types `Input`,
    /// `Product` and `Output`, and the functions `product_identity`, `product_load`,
    /// `product_combine` and `product_store`.
    pub monoid: &'a str,
    /// The host of [`Task::Host`](crate::Task): bindings of its own in group 1, and the
    /// functions `host_count`, `host_viewport`, `host_role`, `host_rect`, `host_top` (which gives a
    /// `HostTop`) and `host_emit`.
    pub host: &'a str,
}

impl Default for Custom<'_> {
    fn default() -> Self {
        Self { role: part::MATCH_ROLE.source, monoid: part::MONOID.source, host: part::HOST.source }
    }
}

/// Links a kernel in a variant. Its entry point is `main`.
///
/// # Errors
/// [`Kernel::check`].
pub fn link(kernel: Kernel, variant: &Variant) -> Result<Linked, VariantError> {
    link_custom(kernel, variant, &Custom::default())
}

/// [`link`] with WGSL of the caller's own, where the kernel has a place for it.
///
/// # Errors
/// As [`link`].
pub fn link_custom(
    kernel: Kernel,
    variant: &Variant,
    custom: &Custom<'_>,
) -> Result<Linked, VariantError> {
    kernel.check(variant)?;
    let paired = kernel.is_paired(variant);
    let variant = &if paired { variant.reducing() } else { *variant };
    let mut source = prelude(kernel, variant, paired);
    let mut starts = Vec::new();
    for fragment in fragments(kernel, variant) {
        let text = match fragment.file {
            file if file == part::MATCH_ROLE.file => custom.role,
            file if file == part::MONOID.file => custom.monoid,
            file if file == part::HOST.file => custom.host,
            _ => fragment.source,
        };
        let is_ours = text == fragment.source;
        let file = if is_ours { fragment.file } else { Linked::GIVEN };
        starts.push((source.lines().count() + 1, file));
        source.push_str(text);
        source.push('\n');
    }
    Ok(Linked { source, starts })
}

/// Directives, constants, structs and bindings.
fn prelude(kernel: Kernel, variant: &Variant, paired: bool) -> String {
    let mut text = String::new();
    if kernel.uses_subgroups(variant) && variant.target() == Target::Browser {
        text.push_str("enable subgroups;\n");
        // Threads of a tile take one way by value, which a compiler cannot see where
        // it depends on what a buffer holds.
        text.push_str("diagnostic(off, subgroup_uniformity);\n");
    }
    let own = [
        ("WORKGROUP_SIZE", variant.workgroup_size()),
        ("PER_THREAD", variant.per_thread()),
        ("TILE", variant.tile()),
        ("PER_WORD", variant.per_word()),
        ("WORDS", variant.words()),
        ("BLOCK_ROOM", kernel.block_room(variant)),
        ("QUADS", variant.quads()),
        ("NEAR_ENTRIES", variant.near_entries()),
        ("NEAREST_RUN", variant.nearest_run()),
        ("PAIRED", paired.into()),
        ("CELLS", kernel.cells(variant)),
        ("BUNDLE_TILES", variant.bundle_tiles()),
        ("BUNDLE_WORDS", variant.bundle_words()),
        ("INDEX_ROWS", Variant::INDEX_ROWS),
        ("SPAN_TILES", kernel.span_tiles(variant)),
    ];
    for (name, value) in own.into_iter().chain(layout::constants()) {
        // Writing to a string does not fail.
        let _ = writeln!(text, "const {name}: u32 = {value}u;");
    }
    for (name, value) in kernel.wants() {
        let _ = writeln!(text, "const {name}: bool = {value};");
    }
    let _ = writeln!(text, "const MAX: f32 = {};", layout::MAX);
    for shared in
        [Params::WGSL, Plan::WGSL, Level::WGSL, Counts::WGSL, BinPlan::WGSL, BinStatus::WGSL]
    {
        text.push_str(shared);
    }
    for (binding, access) in kernel.bindings() {
        text.push_str(&binding.wgsl(access));
    }
    text
}

fn fragments(kernel: Kernel, variant: &Variant) -> Vec<Fragment> {
    let mut fragments = kernel.fragments(variant);
    if kernel.uses_subgroups(variant) {
        fragments.push(part::ENTRY_SUBGROUPS);
    } else {
        fragments.push(part::ENTRY);
    }
    if kernel.has_block() {
        let together = kernel.uses_subgroups(variant);
        fragments.push(if together { part::BLOCK_SUBGROUPS } else { part::BLOCK });
    }
    fragments
}
