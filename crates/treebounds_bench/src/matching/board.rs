//! Matching puzzles, their buffers, and our matcher.

use crate::contest::{self, Prepared, Strategy};
use crate::inputs::Input;
use crate::measure::{Output, Recordable, Transfer, Trial, buffer, bytes, recordables};
use crate::record::{MATCHING_BITS, size};
use rayon::prelude::*;
use std::fmt::Write;
use std::rc::Rc;
use treebounds::{
    Capacity, Gpu, Inputs, MatchBindings, MatchInput, Matcher, MatcherDescriptor, Params, Variant,
    wgpu,
};
use treebounds_core::{Role, Tag, reference};
use wgpu::BufferUsages;

/// Uploaded tags and their expected links.
pub(crate) struct Puzzle {
    pub(crate) input: &'static str,
    pub(crate) board: Rc<Board>,
    pub(crate) tags: Vec<u32>,
    /// One bit per element, starting at the lowest bit of the first word: 1 for an open, 0 for a close. `None`
    /// if any element is neither.
    pub(crate) bits: Option<Vec<u32>>,
    pub(crate) links: Vec<u32>,
}

impl Puzzle {
    /// Creates an input of the board's size, with teeth of length `tile`.
    pub(crate) fn new(
        transfer: &Transfer<'_>,
        board: &Rc<Board>,
        input: &Input,
        tile: usize,
    ) -> anyhow::Result<Self> {
        let tags = input.tags(board.n, tile);
        let roles = bytemuck::cast_slice::<u32, Tag>(&tags);
        let links = reference::links(roles);
        let bits: Option<Vec<u32>> = roles.par_chunks(32).map(word).collect();
        transfer.upload(&board.tags, &tags)?;
        transfer.upload(&board.bits, bits.as_deref().unwrap_or_default())?;
        Ok(Self { input: input.name, board: board.clone(), tags, bits, links })
    }

    /// Prepares a strategy that writes the links of the board.
    pub(crate) fn prepared(
        &self,
        dispatches: Vec<Box<dyn Recordable>>,
        scratch: u64,
    ) -> Prepared<'_> {
        let outputs = vec![Output::new("links", &self.board.links, self.links.as_slice())];
        Prepared { trial: Trial { dispatches, outputs }, scratch: Some(scratch) }
    }
}

impl contest::Puzzle for Puzzle {
    fn input(&self) -> &str {
        self.input
    }

    fn len(&self) -> usize {
        self.board.n
    }
}

/// The bits of up to 32 elements, if all elements open or close.
fn word(tags: &[Tag]) -> Option<u32> {
    tags.iter().rev().try_fold(0, |word, tag| match tag.role() {
        Role::Begin => Some(word << 1 | 1),
        Role::End => Some(word << 1),
        Role::Draw => None,
    })
}

pub(crate) struct Board {
    pub(crate) n: usize,
    /// A uniform with `n` as the first word.
    pub(crate) size: wgpu::Buffer,
    /// One word per element, padded to whole vectors.
    pub(crate) tags: wgpu::Buffer,
    /// One bit per element, padded to whole vectors.
    pub(crate) bits: wgpu::Buffer,
    /// One word per element, padded to whole vectors.
    pub(crate) links: wgpu::Buffer,
}

impl Board {
    pub(crate) fn new(gpu: &Gpu, n: usize) -> anyhow::Result<Self> {
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
            n,
            size,
            tags: buffer(device, "tags", bytes(n), words)?,
            bits: buffer(device, "bits", bytes(n.div_ceil(32)), words)?,
            links: buffer(device, "links", bytes(n), words)?,
        })
    }

    /// Whether the device supports buffers for `n` elements.
    pub(crate) fn fits(gpu: &Gpu, n: usize) -> bool {
        let limits = gpu.device.limits();
        bytes(n) <= limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
            && u32::try_from(n).is_ok()
    }
}

/// `treebounds::Matcher` as a strategy.
#[derive(Clone)]
pub(crate) struct Ours {
    name: String,
    bits: bool,
    matching: Matcher,
}

impl Ours {
    /// Builds a matcher that reads tags.
    pub(crate) fn new(
        device: &wgpu::Device,
        name: impl Into<String>,
        options: &MatcherDescriptor<'_>,
    ) -> anyhow::Result<Self> {
        let matching = Matcher::new(device, options)?;
        Ok(Self { name: name.into(), bits: false, matching })
    }

    /// Builds a matcher that reads bits.
    pub(crate) fn reading_bits(
        device: &wgpu::Device,
        options: &MatcherDescriptor<'_>,
    ) -> anyhow::Result<Self> {
        let descriptor = MatcherDescriptor { input: MatchInput::Bits, ..*options };
        let matching = Matcher::new(device, &descriptor)?;
        Ok(Self { name: MATCHING_BITS.to_owned(), bits: true, matching })
    }

    /// The elements per workgroup for `n` elements.
    pub(crate) fn tile(&self, n: usize) -> usize {
        self.variant(n).tile() as usize
    }

    /// Describes the variants for ascending sizes: threads per workgroup x elements per thread.
    pub(crate) fn describe(&self, sizes: impl IntoIterator<Item = usize>) -> String {
        let sizes: Vec<_> = sizes.into_iter().map(|n| (n, self.variant(n))).collect();
        let spans: Vec<_> = sizes.chunk_by(|one, next| one.1 == next.1).collect();
        let (mut text, mut until) = (String::new(), String::new());
        for &(n, variant) in spans.iter().filter_map(|span| span.last()) {
            let _ = write!(text, "{until}{} x {}", variant.workgroup_size(), variant.per_thread());
            until = format!(" up to {} elements, then ", size(n));
        }
        // All variants are for the same device.
        let subgroups = sizes.iter().any(|(_, variant)| variant.subgroups());
        text + if subgroups { ", with subgroups" } else { ", without subgroups" }
    }

    fn variant(&self, n: usize) -> Variant {
        self.matching.variant(u32::try_from(n).unwrap_or(u32::MAX))
    }
}

impl Strategy<Puzzle> for Ours {
    fn name(&self) -> &str {
        &self.name
    }

    fn unsuited_reason(&self, puzzle: &Puzzle) -> Option<String> {
        (self.bits && puzzle.bits.is_none()).then(|| "has draws".to_owned())
    }

    fn prepare<'p>(
        &self,
        transfer: &Transfer<'_>,
        puzzle: &'p Puzzle,
    ) -> anyhow::Result<Prepared<'p>> {
        let (gpu, board) = (transfer.gpu, &puzzle.board);
        let elements = u32::try_from(board.n)?;
        let inputs = Inputs::new(&gpu.device, Capacity::all_markers(0))?;
        let params = Params { elements, ..Params::default() };
        gpu.queue.write_buffer(&inputs.params, 0, bytemuck::bytes_of(&params));
        let scratch = self.matching.scratch(elements)?;
        let input = if self.bits { &board.bits } else { &board.tags };
        let buffers = MatchBindings {
            params: inputs.params.as_entire_buffer_binding(),
            input: input.as_entire_buffer_binding(),
            links: board.links.as_entire_buffer_binding(),
        };
        let job = self.matching.bind(&buffers, &scratch)?;
        Ok(puzzle.prepared(recordables(&job), self.matching.scratch_bytes(elements)?))
    }
}
