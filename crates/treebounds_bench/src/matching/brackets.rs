//! Matching for parsers, with partners, depths and errors in addition to links.

use crate::contest::{Prepared, Strategy};
use crate::matching::board::Puzzle;
use crate::measure::{Output, Transfer, Trial, buffer, bytes, recordables};
use crate::record::BRACKETS;
use treebounds::{BracketBindings, BracketMatcher, BracketMatcherDescriptor, Params, wgpu};
use treebounds_core::{Bracket, Segment, reference};
use wgpu::BufferUsages;

/// `BracketMatcher` with one segment. The flags of a tag serve as the bracket
/// kind.
pub(crate) struct OfParsers(BracketMatcher);

impl OfParsers {
    pub(crate) fn new(
        device: &wgpu::Device,
        descriptor: &BracketMatcherDescriptor<'_>,
    ) -> anyhow::Result<Self> {
        Ok(Self(BracketMatcher::new(device, descriptor)?))
    }
}

impl Strategy<Puzzle> for OfParsers {
    fn name(&self) -> &str {
        BRACKETS
    }

    fn prepare<'p>(
        &self,
        transfer: &Transfer<'_>,
        puzzle: &'p Puzzle,
    ) -> anyhow::Result<Prepared<'p>> {
        let (gpu, board) = (transfer.gpu, &puzzle.board);
        let elements = u32::try_from(board.n)?;
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
        let new = |label, size| buffer(&gpu.device, label, size, usage);
        let partners = new("partners", bytes(board.n))?;
        let depths = new("depths", bytes(board.n))?;
        let segments = new("segments", size_of::<Segment>() as u64)?;
        let uniform = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
        let params = buffer(&gpu.device, "params", size_of::<Params>() as u64, uniform)?;
        let count = Params { elements, ..Params::default() };
        gpu.queue.write_buffer(&params, 0, bytemuck::bytes_of(&count));
        let bindings = BracketBindings {
            params: params.as_entire_buffer_binding(),
            input: board.tags.as_entire_buffer_binding(),
            links: board.links.as_entire_buffer_binding(),
            partners: partners.as_entire_buffer_binding(),
            depths: depths.as_entire_buffer_binding(),
            segments: segments.as_entire_buffer_binding(),
        };
        let job = self.0.bind(&bindings, &self.0.scratch(elements, 1)?)?;
        let expected = reference::brackets(bytemuck::cast_slice::<u32, Bracket>(&puzzle.tags));
        let outputs = vec![
            Output::new("links", &board.links, expected.links),
            Output::new("partners", &partners, expected.partners),
            Output::new("depths", &depths, expected.depths),
            Output::new("segments", &segments, bytemuck::cast_slice(&expected.segments).to_vec()),
        ];
        let scratch = Some(self.0.scratch_bytes(elements, 1)?);
        Ok(Prepared { trial: Trial { dispatches: recordables(&job), outputs }, scratch })
    }
}
