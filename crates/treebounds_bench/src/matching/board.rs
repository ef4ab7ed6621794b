//! The tags and links to compare with, the buffers of a size, and the strategies that play, with ours among them.

use crate::inputs::Input;
use crate::measure::{Recordable, Transfer, buffer, bytes, recordables};
use crate::record::{MATCHING_BITS, size};
use rayon::prelude::*;
use std::fmt::Write;
use treebounds::{
    Capacity, Gpu, Inputs, MatchBindings, MatchInput, Matcher, MatcherDescriptor, Params, Variant,
    wgpu,
};
use treebounds_core::{Role, Tag, reference};
use wgpu::BufferUsages;

/// A way to match parentheses on the GPU. Its pipelines are built already.
pub(crate) trait Strategy {
    /// The name of its line.
    fn name(&self) -> &str;

    /// The most elements that it can take, where its algorithm has a limit.
    fn max_n(&self) -> Option<usize> {
        None
    }

    /// Why it cannot read such an input, where it cannot.
    fn unsuited(&self, _puzzle: &Puzzle) -> Option<&'static str> {
        None
    }

    /// Bytes of GPU memory in addition to input and links, if known.
    fn scratch_bytes(&self, _n: usize) -> Option<u64> {
        None
    }

    /// Binds the board's buffers: what must be recorded, in order, to write
    /// every link of the board.
    fn prepare(&self, board: &Board) -> anyhow::Result<Vec<Box<dyn Recordable>>>;

    /// What must be in the board's links in the end.
    fn answer<'a>(&self, puzzle: &'a Puzzle) -> &'a [u32] {
        &puzzle.links
    }
}

/// A way to match parentheses on the CPU. Its working memory is used again.
pub(crate) trait CpuStrategy {
    /// The name of its line.
    fn name(&self) -> &str;

    /// Writes every link.
    fn run(&mut self, tags: &[u32], links: &mut [u32]);
}

/// More elements than the algorithm can take.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{strategy} takes at most {max_n} elements, not {n}")]
pub(crate) struct TooLong {
    pub(crate) strategy: String,
    pub(crate) max_n: usize,
    pub(crate) n: usize,
}

/// Whether a strategy can take this many elements.
pub(crate) fn fits(strategy: &dyn Strategy, n: usize) -> Result<(), TooLong> {
    match strategy.max_n() {
        Some(max_n) if n > max_n => Err(TooLong { strategy: strategy.name().to_owned(), max_n, n }),
        _ => Ok(()),
    }
}

/// Tags, and their links.
#[derive(Debug)]
pub(crate) struct Puzzle {
    pub(crate) tags: Vec<u32>,
    /// A bit an element, from the lowest of the first word on: set opens, clear
    /// closes. `None` where an element does neither.
    pub(crate) bits: Option<Vec<u32>>,
    pub(crate) links: Vec<u32>,
}

impl Puzzle {
    /// `n` elements of an input, with teeth as long as `tile`.
    pub(crate) fn new(input: &Input, n: usize, tile: usize) -> Self {
        let tags = input.tags(n, tile);
        let roles = bytemuck::cast_slice::<u32, Tag>(&tags);
        let links = reference::links(roles);
        let bits = roles.par_chunks(32).map(word).collect();
        Self { tags, bits, links }
    }
}

/// The bits of up to 32 elements, if all of them open or close.
fn word(tags: &[Tag]) -> Option<u32> {
    tags.iter().rev().try_fold(0, |word, tag| match tag.role() {
        Role::Begin => Some(word << 1 | 1),
        Role::End => Some(word << 1),
        Role::Draw => None,
    })
}

/// Buffers for `n` elements.
pub(crate) struct Board<'a> {
    pub(crate) gpu: &'a Gpu,
    pub(crate) n: usize,
    /// `n` as the first word of a uniform.
    pub(crate) size: wgpu::Buffer,
    /// A word an element, then up to three words of nothing.
    pub(crate) tags: wgpu::Buffer,
    /// A bit an element, then up to four words of nothing.
    pub(crate) bits: wgpu::Buffer,
    /// A word an element, then up to three words of nothing.
    pub(crate) links: wgpu::Buffer,
    pub(crate) transfer: Transfer<'a>,
}

impl<'a> Board<'a> {
    pub(crate) fn new(gpu: &'a Gpu, n: usize) -> anyhow::Result<Self> {
        let device = &gpu.device;
        anyhow::ensure!(
            Self::fits(gpu, n),
            "{n} elements are more than one buffer of {} can hold",
            gpu.adapter.name
        );
        let words = BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
        let size = buffer(device, "size", 16, BufferUsages::UNIFORM | BufferUsages::COPY_DST)?;
        gpu.queue.write_buffer(&size, 0, bytemuck::bytes_of(&[n as u32, 0, 0, 0]));
        Ok(Self {
            gpu,
            n,
            size,
            tags: buffer(device, "tags", bytes(n), words)?,
            bits: buffer(device, "bits", bytes(n.div_ceil(32)), words)?,
            links: buffer(device, "links", bytes(n), words)?,
            transfer: Transfer::new(gpu, n)?,
        })
    }

    /// Whether the device has buffers that large.
    pub(crate) fn fits(gpu: &Gpu, n: usize) -> bool {
        let limits = gpu.device.limits();
        bytes(n) <= limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
            && u32::try_from(n).is_ok()
    }

    /// Uploads the tags, `n` of them, and the bits, where the puzzle has any.
    pub(crate) fn load(&self, puzzle: &Puzzle) -> anyhow::Result<()> {
        self.transfer.upload(&self.tags, &puzzle.tags)?;
        self.transfer.upload(&self.bits, puzzle.bits.as_deref().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::ALL;

    #[test]
    fn bits_say_what_tags_say() {
        for n in [0, 1, 31, 32, 33, 1000] {
            for input in ALL {
                let puzzle = Puzzle::new(input, n, 64);
                let Some(bits) = puzzle.bits else { continue };
                assert_eq!(bits.len(), n.div_ceil(32));
                for (ix, tag) in puzzle.tags.iter().enumerate() {
                    let opens = tag & Tag::ROLE_MASK == Tag::ROLE_BEGIN;
                    assert_eq!(bits[ix / 32] >> (ix % 32) & 1 == 1, opens, "{ix} of {n}");
                }
            }
        }
    }

    #[test]
    fn only_what_draws_has_no_bits() {
        let without = |input: &&Input| Puzzle::new(input, 1000, 64).bits.is_none();
        let names: Vec<_> = ALL.iter().filter(without).map(|input| input.name).collect();
        assert_eq!(names, ["drawings, repeated"]);
    }
}

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
