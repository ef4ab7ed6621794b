//! `treebounds::Matcher`, in any variant.

use super::board::{Board, Puzzle, Strategy};
use crate::lines::MATCHING_BITS;
use crate::measure::{Recordable, recordables};
use crate::record::size;
use std::fmt::Write;
use treebounds::{
    Capacity, Inputs, MatchBindings, MatchInput, Matcher, MatcherDescriptor, Params, Variant, wgpu,
};

/// Matching as the library does it.
#[derive(Clone)]
pub(crate) struct Ours {
    name: String,
    bits: bool,
    matching: Matcher,
}

impl Ours {
    /// The variant that these options choose, reading tags.
    pub(crate) fn new(
        device: &wgpu::Device,
        name: impl Into<String>,
        options: &MatcherDescriptor<'_>,
    ) -> anyhow::Result<Self> {
        let matching = Matcher::new(device, options)?;
        Ok(Self { name: name.into(), bits: false, matching })
    }

    /// The variant that these options choose, reading bits.
    pub(crate) fn reading_bits(
        device: &wgpu::Device,
        options: &MatcherDescriptor<'_>,
    ) -> anyhow::Result<Self> {
        let descriptor = MatcherDescriptor { input: MatchInput::Bits, ..*options };
        let matching = Matcher::new(device, &descriptor)?;
        Ok(Self { name: MATCHING_BITS.to_owned(), bits: true, matching })
    }

    /// The elements that a workgroup takes of `n`.
    pub(crate) fn tile(&self, n: usize) -> usize {
        self.variant(n).tile() as usize
    }

    /// What was chosen for these sizes, growing, in a few words: threads a
    /// workgroup x elements a thread.
    pub(crate) fn describe(&self, sizes: impl IntoIterator<Item = usize>) -> String {
        let sizes: Vec<_> = sizes.into_iter().map(|n| (n, self.variant(n))).collect();
        let spans: Vec<_> = sizes.chunk_by(|one, next| one.1 == next.1).collect();
        let (mut text, mut until) = (String::new(), String::new());
        for &(n, variant) in spans.iter().filter_map(|span| span.last()) {
            let _ = write!(text, "{until}{} x {}", variant.workgroup_size(), variant.per_thread());
            until = format!(" up to {} elements, then ", size(n));
        }
        // All variants are built for the same device.
        let subgroups = sizes.iter().any(|(_, variant)| variant.subgroups());
        text + if subgroups { ", with subgroups" } else { ", without subgroups" }
    }

    fn variant(&self, n: usize) -> Variant {
        self.matching.variant(u32::try_from(n).unwrap_or(u32::MAX))
    }
}

impl Strategy for Ours {
    fn name(&self) -> &str {
        &self.name
    }

    fn unsuited(&self, puzzle: &Puzzle) -> Option<&'static str> {
        (self.bits && puzzle.bits.is_none()).then_some("has draws")
    }

    fn scratch_bytes(&self, n: usize) -> Option<u64> {
        self.matching.scratch_bytes(u32::try_from(n).ok()?).ok()
    }

    fn prepare(&self, board: &Board) -> anyhow::Result<Vec<Box<dyn Recordable>>> {
        let elements = u32::try_from(board.n)?;
        let inputs = Inputs::new(&board.gpu.device, Capacity { elements: 0, markers: 0 })?;
        let params = Params { elements, ..Params::default() };
        board.gpu.queue.write_buffer(&inputs.params, 0, bytemuck::bytes_of(&params));
        let scratch = self.matching.scratch(elements)?;
        let input = if self.bits { &board.bits } else { &board.tags };
        let buffers = MatchBindings {
            params: inputs.params.as_entire_buffer_binding(),
            input: input.as_entire_buffer_binding(),
            links: board.links.as_entire_buffer_binding(),
        };
        let job = self.matching.bind(&buffers, &scratch)?;
        Ok(recordables(&job))
    }
}
