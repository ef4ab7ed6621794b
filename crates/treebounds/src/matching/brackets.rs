//! Matching for parsers: bracket kinds, segments, partners, depths and errors.

use crate::gpu::buffers::{Need, bytes, bytes_of_parts, check, scratch_methods, vector_bytes};
use crate::gpu::job::JobBuilder;
use crate::gpu::pipelines::{Pipeline, descriptor};
use crate::matching::{
    MatchBindings, MatchInput, MatchLayout, MatchScratch, Matcher, MatcherDescriptor, compiler_for,
};
use crate::{Error, Job};
use treebounds_shaders::{Kernel, Variant};
use wgpu::BufferBinding;

descriptor! {
    /// How to build a [`BracketMatcher`].
    BracketMatcherDescriptor: "treebounds brackets"
    /// A WGSL module that computes the role of each input word. It declares `fn role(tag: u32) -> u32`;
    /// its names cannot clash with names in the kernels. The two lowest bits of the result are 1 for
    /// opens, 2 for closes, 3 for segment ends and 0 otherwise; the other bits are the bracket kind.
    /// Kernels with such a module are always compiled with wgpu's index and loop checks.
    ///
    /// With `None`, the words are [`Bracket`](treebounds_core::Bracket)s, which have this format.
    role: Option<&'a str>,
    /// Elements per thread, as in [`MatcherDescriptor::per_thread`].
    per_thread: Option<u32>,
}

/// The ranges that a [`BracketMatcher`] reads and writes, for a capacity of n elements and s segments.
/// [`InputBindings`](crate::InputBindings) explains how ranges may share buffers.
///
/// | range | contents | bytes | usage |
/// |---|---|---|---|
/// | `params` | [`Params`](crate::Params); the viewport is not read | 32 | `UNIFORM` |
/// | `input` | one word per element | 4 n, rounded up to a multiple of 16 | `STORAGE` |
/// | `links` | per element, its open or its parent | 4 n, rounded up to a multiple of 16 | `STORAGE` |
/// | `partners` | per element, the other bracket of its pair | 4 n | `STORAGE` |
/// | `depths` | per element, the number of opens around it | 4 n, rounded up to a multiple of 16 | `STORAGE` |
/// | `segments` | one [`Segment`](treebounds_core::Segment) per segment: its first error of each kind, and its end | 16 s, at most 16 (n + 1) | `STORAGE` |
///
/// The count in `params` may be written by the host or by another kernel. Elements beyond the capacity
/// are ignored. There is one more segment than resets. Segments beyond the capacity are not written, and
/// [`BracketCounts`](crate::BracketCounts) contain their total number. Unused segments are filled with
/// `NONE`. Links and depths are written in vectors of 16 bytes, so the rest of the last vector is
/// overwritten.
#[derive(Clone, Debug)]
pub struct BracketBindings<'a> {
    /// The number of elements.
    pub params: BufferBinding<'a>,
    /// The brackets.
    pub input: BufferBinding<'a>,
    /// The open of each close, and the parent of each open.
    pub links: BufferBinding<'a>,
    /// The other bracket of each pair.
    pub partners: BufferBinding<'a>,
    /// The number of opens around each element.
    pub depths: BufferBinding<'a>,
    /// The errors of each segment.
    pub segments: BufferBinding<'a>,
}

/// Matching for parsers: several bracket kinds, in segments such as lines or documents, with the first
/// error of each segment.
///
/// The result equals [`reference::brackets`](treebounds_core::reference::brackets) for any number of
/// elements and any depth, balanced or not. [`treebounds_core::brackets`] defines it with an example.
///
/// Cost: as for a [`Matcher`] with words as input, plus 3 dispatches. If all elements have partners,
/// these dispatches move about 26 bytes per element: 8 for the input, which is read twice, 4 for links,
/// 4 for depths, 8 for partners, which are written twice, and 2 for the kinds of opens.
///
/// [`MATCHING.md`](https://github.com/treebounds/treebounds/blob/main/shaders/MATCHING.md) explains the
/// algorithm.
///
/// ```
/// use treebounds::{
///     BracketBindings, BracketMatcher, BracketMatcherDescriptor, Job, MatchScratch, wgpu,
/// };
///
/// /// Round and square brackets in lines, one character per word.
/// const LINES: &str = "fn role(character: u32) -> u32 {
///     switch character {
///         case 40u: { return 1u; }      // ( opens, kind 0
///         case 41u: { return 2u; }      // ) closes, kind 0
///         case 91u: { return 4u + 1u; } // [ opens, kind 1
///         case 93u: { return 4u + 2u; } // ] closes, kind 1
///         case 10u: { return 3u; }      // a line ends
///         default: { return 0u; }
///     }
/// }";
///
/// fn brackets(
///     device: &wgpu::Device,
///     buffers: &BracketBindings<'_>,
///     characters: u32,
///     lines: u32,
/// ) -> Result<(Job, MatchScratch<BracketMatcher>), treebounds::Error> {
///     let descriptor = BracketMatcherDescriptor { role: Some(LINES), ..Default::default() };
///     let matcher = BracketMatcher::new(device, &descriptor)?;
///     let scratch = matcher.scratch(characters, lines)?;
///     let job = matcher.bind(buffers, &scratch)?;
///     Ok((job, scratch))
/// }
/// ```
#[derive(Clone, Debug)]
pub struct BracketMatcher {
    matcher: Matcher,
    /// One set per variant of the matcher.
    kernels: Vec<Kernels>,
}

/// The pipelines that run after matching.
#[derive(Clone, Debug)]
struct Kernels {
    reduce: Pipeline,
    scan: Pipeline,
    finish: Pipeline,
}

impl Kernels {
    const ALL: [Kernel; 3] = [Kernel::BracketReduce, Kernel::BracketScan, Kernel::BracketFinish];

    fn add(&self, job: &mut JobBuilder<'_>, layout: &MatchLayout) -> Result<(), Error> {
        job.add(&self.reduce, layout.tiles(), 0)?;
        job.add(&self.scan, 1, 0)?;
        job.add(&self.finish, layout.tiles(), 0)
    }
}

impl BracketMatcher {
    /// Builds a bracket matcher for a device.
    ///
    /// # Errors
    /// Same as [`Matcher::new`].
    pub fn new(
        device: &wgpu::Device,
        descriptor: &BracketMatcherDescriptor<'_>,
    ) -> Result<Self, Error> {
        let BracketMatcherDescriptor { role, per_thread, tuning, pipeline_cache, .. } = *descriptor;
        let build = descriptor.build(device);
        let input = role.map_or(MatchInput::Tags, MatchInput::Roles);
        let label = Some(build.label.as_str());
        let plain = MatcherDescriptor { label, input, per_thread, tuning, pipeline_cache };
        let matcher = Matcher::new(device, &plain)?;
        let variants = matcher.kernels.iter().map(|kernels| kernels.variant);
        let wanted =
            variants.clone().flat_map(|variant| Kernels::ALL.map(|kernel| (kernel, variant)));
        let compiled = compiler_for(&build, input).compile(wanted);
        let kernels = |variant: Variant| {
            let [reduce, scan, finish] =
                Kernels::ALL.map(|kernel| compiled.pipeline(kernel, &variant));
            Ok(Kernels { reduce: reduce?, scan: scan?, finish: finish? })
        };
        let kernels = variants.map(kernels).collect::<Result<_, Error>>()?;
        Ok(Self { matcher, kernels })
    }

    /// The variant for `elements` elements.
    pub fn variant(&self, elements: u32) -> Variant {
        self.matcher.variant(elements)
    }

    /// The size in bytes of a scratch: [`Matcher::scratch_bytes`] plus 16 per tile.
    ///
    /// # Errors
    /// [`Error::TooMany`] if the elements exceed 32-bit indices.
    pub fn scratch_bytes(&self, elements: u32, segments: u32) -> Result<u64, Error> {
        let layout = self.matcher.layout(elements, Some(segments))?;
        Ok(bytes_of_parts(&self.matcher.build.device, &layout.parts()))
    }

    fn place_scratch(
        &self,
        elements: u32,
        segments: u32,
        memory: Option<BufferBinding<'_>>,
    ) -> Result<MatchScratch<Self>, Error> {
        self.matcher.place(self.matcher.layout(elements, Some(segments))?, memory)
    }

    /// Binds ranges that are large enough for the scratch.
    ///
    /// # Errors
    /// Same as [`Stage::bind`](crate::Stage::bind).
    pub fn bind(
        &self,
        buffers: &BracketBindings<'_>,
        scratch: &MatchScratch<Self>,
    ) -> Result<Job, Error> {
        let (matcher, layout) = (&self.matcher, &scratch.layout);
        let plain = matcher.kernels_for(layout)?;
        let is_its = |of: &&Kernels| of.reduce.variant == layout.variant;
        let kernels = self.kernels.iter().find(is_its).ok_or(Error::ForeignScratch)?;
        let BracketBindings { params, input, links, .. } = buffers.clone();
        let elements = layout.plan.element_capacity;
        let more = [
            Need::storage("partners", &buffers.partners, bytes(4, elements)),
            Need::storage("depths", &buffers.depths, vector_bytes(elements)),
            Need::storage("segments", &buffers.segments, bytes(16, layout.plan.segment_capacity)),
        ];
        let needs = matcher.needs(&MatchBindings { params, input, links }, layout);
        let needs = needs.into_iter().chain(more);
        let mut ranges = check(&matcher.build.device, needs, &scratch.parts)?;
        ranges.extend(scratch.ranges());
        let mut job = JobBuilder::new(&matcher.build, &ranges, &scratch.levels);
        plain.add(&mut job, layout)?;
        kernels.add(&mut job, layout)?;
        Ok(job.finish())
    }
}

scratch_methods!(BracketMatcher -> MatchScratch<Self>, elements: u32, segments: u32);
