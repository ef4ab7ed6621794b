//! The linker: fragments in, one WGSL module out.

use crate::binding::Access;
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
    /// The WGSL.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The file of the fragment that this line (from 1) came from, and its line
    /// there. What the linker itself wrote is in no file: `("", line)`.
    pub fn locate(&self, line: usize) -> (&'static str, usize) {
        match self.starts.iter().rev().find(|(start, _)| *start <= line) {
            Some((start, file)) => (file, line - start + 1),
            None => ("", line),
        }
    }
}

/// Links a kernel in a variant. Its entry point is `main`.
///
/// # Errors
/// [`Kernel::check`].
pub fn link(kernel: Kernel, variant: &Variant) -> Result<Linked, VariantError> {
    link_roles(kernel, variant, part::MATCH_ROLE.source)
}

/// Links a kernel that reads tags of the caller's own: `role` is WGSL with
/// `fn role(tag: u32) -> u32`, 1 for what opens, 2 for what closes, 0 for what does
/// neither. Only the lowest two bits count; 3 does neither. Kernels that read no
/// tags are linked as by [`link`].
///
/// The text can name all that the kernel's own can: compile it with checks of
/// indices and loops.
///
/// # Errors
/// As [`link`].
pub fn link_roles(kernel: Kernel, variant: &Variant, role: &str) -> Result<Linked, VariantError> {
    kernel.check(variant)?;
    let mut source = prelude(kernel, variant);
    let mut starts = Vec::new();
    for fragment in fragments(kernel, variant) {
        starts.push((source.lines().count() + 1, fragment.file));
        if fragment.file == part::MATCH_ROLE.file {
            source.push_str(role);
            source.push('\n');
        } else {
            source.push_str(&fragment.text());
        }
    }
    Ok(Linked { source, starts })
}

/// Directives, constants, structs and bindings.
fn prelude(kernel: Kernel, variant: &Variant) -> String {
    let mut text = String::new();
    if uses_subgroups(kernel, variant) && variant.target() == Target::Browser {
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
    ];
    for (name, value) in own.into_iter().chain(layout::constants()) {
        // Writing to a string does not fail.
        let _ = writeln!(text, "const {name}: u32 = {value}u;");
    }
    let _ = writeln!(text, "const MAX: f32 = {};", layout::MAX);
    for shared in
        [Params::WGSL, Plan::WGSL, Level::WGSL, Counts::WGSL, BinPlan::WGSL, BinStatus::WGSL]
    {
        text.push_str(shared);
    }
    for &(binding, access) in kernel.bindings() {
        text.push_str(&binding.wgsl(access));
    }
    text
}

fn fragments(kernel: Kernel, variant: &Variant) -> Vec<Fragment> {
    let mut fragments = kernel.fragments(variant);
    if uses_subgroups(kernel, variant) {
        fragments.extend([part::ENTRY_SUBGROUPS, part::BLOCK_SUBGROUPS]);
    } else {
        fragments.push(part::ENTRY);
        if kernel.is_cooperative() {
            fragments.push(part::BLOCK);
        }
    }
    fragments
}

/// Threads that do not work together have no use for subgroups.
fn uses_subgroups(kernel: Kernel, variant: &Variant) -> bool {
    variant.subgroups() && kernel.is_cooperative()
}

/// The most storage buffers that a kernel binds: the default limit of WebGPU.
const _: () = {
    let mut i = 0;
    while i < Kernel::ALL.len() {
        let bindings = Kernel::ALL[i].bindings();
        let mut storage = 0;
        let mut j = 0;
        while j < bindings.len() {
            if !matches!(bindings[j].1, Access::Uniform) {
                storage += 1;
            }
            j += 1;
        }
        assert!(storage <= 8);
        i += 1;
    }
};
