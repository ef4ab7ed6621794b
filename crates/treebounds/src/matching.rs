//! Parentheses matching for parsers, tree code and scenes.

mod brackets;

pub use brackets::{BracketBindings, BracketMatcher, BracketMatcherDescriptor};

use crate::gpu::buffers::{
    Levels, Need, Part, Range, bytes, bytes_of_parts, ceil_div, check, check_count, place_parts,
    scratch_methods, uniform, vector_bytes,
};
use crate::gpu::job::JobBuilder;
use crate::gpu::pipelines::{Build, Compiler, Pipeline, descriptor};
use crate::{Error, Job};
use std::marker::PhantomData;
use treebounds_shaders::{Binding, Counts, Custom, Kernel, MatchLevel, MatchPlan, Variant};
use wgpu::BufferBinding;

/// The input format of a [`Matcher`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MatchInput<'a> {
    /// One [tag](treebounds_core::Tag) word per element. Only the role is read: 1 opens, 2 closes, and
    /// other roles do neither.
    #[default]
    Tags,
    /// One word per element, whose role is computed by this WGSL module. It declares
    /// `fn role(tag: u32) -> u32`, which returns 1 for opens, 2 for closes and 0 otherwise; its names
    /// cannot clash with names in the kernels. The kernels are always compiled with wgpu's index and loop
    /// checks, which makes them slower.
    Roles(&'a str),
    /// One bit per element, starting at the lowest bit of the first word. Set bits open, clear bits close.
    Bits,
}

descriptor! {
    /// How to build a [`Matcher`].
    MatcherDescriptor: "treebounds matcher"
    /// The input format.
    input: MatchInput<'a>,
    /// Elements per thread: 1 to 32, or 64, rounded up to a multiple of 4. `None` chooses by device and
    /// number of elements.
    per_thread: Option<u32>,
}

/// The ranges that a [`Matcher`] reads and writes, for a capacity of n elements.
/// [`InputBindings`](crate::InputBindings) explains how ranges may share buffers.
///
/// | range | contents | bytes | usage |
/// |---|---|---|---|
/// | `params` | [`Params`](crate::Params); the viewport is not read | 32 | `UNIFORM` |
/// | `input` | the format of [`MatchInput`] | 4 n, rounded up to a multiple of 16; for bits n / 8, in whole words | `STORAGE` |
/// | `links` | per element, its link | 4 n, rounded up to a multiple of 16 | `STORAGE` |
///
/// The count in `params` may be written by the host or by another kernel. Elements beyond the capacity
/// are ignored. Links are written in vectors of 16 bytes, so the rest of the last vector is
/// overwritten.
#[derive(Clone, Debug)]
pub struct MatchBindings<'a> {
    /// The number of elements.
    pub params: BufferBinding<'a>,
    /// The parentheses.
    pub input: BufferBinding<'a>,
    /// The link of each element.
    pub links: BufferBinding<'a>,
}

/// Parentheses matching.
///
/// The link of a close is the index of its open. The link of an open is its parent, the nearest open
/// around it. All other links are `NONE`, as are links to missing opens. The result equals
/// [`reference::links`](treebounds_core::reference::links) for any length and depth, balanced or not.
///
/// Cost: 2 dispatches for up to 8 times as many tiles as threads per workgroup (by default up to
/// 2<sup>24</sup> elements, or 2<sup>25</sup> if a workgroup may have 512 threads), plus one for each
/// level of a tree over the tiles, whose nodes have 4 times as many children as threads per workgroup.
/// Memory traffic is 8.75 bytes per element for tags, or 4.875 for bits. Each element that another tile
/// looks up adds 8 bytes, or 16 if several tiles look up more than 256 elements of its tile. Traffic is
/// linear in the number of elements and independent of depth and balance.
///
/// Source: the bicyclic semigroup and its search are from Levien, [Fast GPU bounding boxes on
/// tree-structured scenes](https://arxiv.org/abs/2205.11659) (2022), section 3 and Figure 2.
/// [`MATCHING.md`](https://github.com/treebounds/treebounds/blob/main/shaders/MATCHING.md) explains
/// the rest and its costs.
///
/// ```
/// use treebounds::{
///     Job, MatchBindings, MatchInput, MatchScratch, Matcher, MatcherDescriptor, wgpu,
/// };
///
/// /// The parentheses of a text, one character per word.
/// const TEXT: MatchInput = MatchInput::Roles(
///     "fn role(tag: u32) -> u32 { return select(select(0u, 2u, tag == 41u), 1u, tag == 40u); }",
/// );
///
/// fn parentheses(
///     device: &wgpu::Device,
///     buffers: &MatchBindings<'_>,
///     characters: u32,
/// ) -> Result<(Job, MatchScratch), treebounds::Error> {
///     let descriptor = MatcherDescriptor { input: TEXT, ..Default::default() };
///     let matcher = Matcher::new(device, &descriptor)?;
///     let scratch = matcher.scratch(characters)?;
///     let job = matcher.bind(buffers, &scratch)?;
///     Ok((job, scratch))
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Matcher {
    build: Build,
    /// Whether the input consists of bits.
    bits: bool,
    /// At least one, in ascending order of [`Kernels::elements`].
    kernels: Vec<Kernels>,
}

#[derive(Clone, Debug)]
struct Kernels {
    variant: Variant,
    /// The maximum number of elements for which this variant is used.
    elements: u32,
    reduce: Pipeline,
    build: Pipeline,
    resolve: Pipeline,
}

impl Kernels {
    fn add(&self, job: &mut JobBuilder<'_>, layout: &MatchLayout) -> Result<(), Error> {
        job.add(&self.reduce, layout.tiles(), 0)?;
        for (level, groups) in layout.builds().iter().enumerate() {
            job.add(&self.build, *groups, level)?;
        }
        job.add(&self.resolve, layout.tiles(), 0)
    }
}

/// Working memory of a [`Matcher`] or a [`BracketMatcher`] for a number of elements, similar to
/// [`Scratch`](crate::Scratch).
#[derive(Clone, Debug)]
pub struct MatchScratch<Object = Matcher> {
    layout: MatchLayout,
    /// Counts, pyramid, slices and bitmaps; for brackets, also tile products.
    parts: Vec<Range>,
    plan: Range,
    levels: Levels,
    object: PhantomData<fn(&Object)>,
}

/// The scratch layout for a number of elements and a variant.
#[derive(Clone, Debug)]
struct MatchLayout {
    variant: Variant,
    plan: MatchPlan,
    /// Node counts of the pyramid levels. The first level is the tiles.
    levels: Vec<u32>,
    brackets: bool,
}

impl MatchLayout {
    /// `segments` is the segment capacity for brackets, or `None` for matching only.
    fn new(elements: u32, segments: Option<u32>, variant: Variant) -> Result<Self, Error> {
        check_count("elements", elements, &variant)?;
        let tiles = ceil_div(elements, variant.tile());
        let run = run(tiles, variant.workgroup_size());
        let plan = MatchPlan {
            element_capacity: elements,
            children_per_thread: run,
            // Cannot overflow: at most the number of elements.
            bitmap_words: tiles * variant.bitmap_words(),
            // Each reset adds a segment.
            segment_capacity: segments.unwrap_or(0).min(elements + 1),
        };
        let levels = pyramid_levels(tiles, variant.workgroup_size() * run);
        Ok(Self { variant, plan, levels, brackets: segments.is_some() })
    }

    fn tiles(&self) -> u32 {
        self.levels[0]
    }

    /// The number of workgroups of each dispatch that builds a level of the pyramid: one per node.
    fn builds(&self) -> &[u32] {
        &self.levels[1..]
    }

    fn parts(&self) -> Vec<Part> {
        let bitmaps = bytes(4, self.plan.bitmap_words) * u64::from(self.variant.bitmaps());
        let mut parts = vec![
            ("counts", size_of::<Counts>() as u64),
            ("pyramid", self.levels.iter().map(|nodes| bytes(8, *nodes)).sum()),
            ("slices", bytes(4, self.tiles()) * u64::from(self.variant.tile())),
            ("bitmaps", bitmaps),
        ];
        if self.brackets {
            parts.push((Binding::BracketTiles.name(), bytes(16, self.tiles())));
        }
        parts
    }
}

impl<Object> MatchScratch<Object> {
    /// The [`Counts`] of the last job with this scratch: the number of elements, and
    /// [`Counts::ELEMENTS_CLAMPED`] if there were more than the capacity. `markers` is undefined. A
    /// [`BracketMatcher`] writes [`BracketCounts`](crate::BracketCounts) instead. Buffers created by
    /// [`Matcher::scratch`] have the usage `COPY_SRC`.
    pub fn counts(&self) -> BufferBinding<'_> {
        self.parts[0].binding()
    }

    /// The ranges that kernels bind, without the levels.
    fn ranges(&self) -> impl Iterator<Item = Range> {
        self.parts.iter().chain([&self.plan]).cloned()
    }

    /// The variant of the scratch.
    pub fn variant(&self) -> Variant {
        self.layout.variant
    }

    /// The GPU memory of the scratch in bytes, including memory provided by the caller.
    pub fn bytes(&self) -> u64 {
        let all = self.parts.iter().chain([&self.plan]);
        all.map(Range::bytes).sum::<u64>() + self.levels.bytes()
    }
}

impl Matcher {
    /// Builds a matcher for a device.
    ///
    /// # Errors
    /// The errors of [`Stage::new`](crate::Stage::new); [`Error::Kernel`] if the WGSL of
    /// [`MatchInput::Roles`] is invalid.
    pub fn new(device: &wgpu::Device, descriptor: &MatcherDescriptor<'_>) -> Result<Self, Error> {
        let MatcherDescriptor { input, per_thread, tuning, .. } = *descriptor;
        let build = descriptor.build(device);
        let bits = input == MatchInput::Bits;
        let reduce = if bits { Kernel::MatchReduceBits } else { Kernel::MatchReduce };
        let variants = tuning.match_variants(device, per_thread)?;
        let of = |&(variant, _): &(Variant, u32)| {
            [reduce, Kernel::MatchBuild, Kernel::MatchResolve].map(|kernel| (kernel, variant))
        };
        let wanted = variants.iter().flat_map(of);
        let compiled = compiler_for(&build, input).compile(wanted);
        let kernels = |(variant, elements)| {
            let pipeline = |kernel| compiled.pipeline(kernel, &variant);
            Ok(Kernels {
                variant,
                elements,
                reduce: pipeline(reduce)?,
                build: pipeline(Kernel::MatchBuild)?,
                resolve: pipeline(Kernel::MatchResolve)?,
            })
        };
        let kernels = variants.into_iter().map(kernels).collect::<Result<_, Error>>()?;
        Ok(Self { build, bits, kernels })
    }

    /// The variant for `elements` elements.
    pub fn variant(&self, elements: u32) -> Variant {
        self.kernels(elements).variant
    }

    /// The size in bytes of a scratch: at most 5.25 per element for at least 4,096 elements, and 4.5 for
    /// more than 2<sup>18</sup>.
    ///
    /// # Errors
    /// [`Error::TooMany`] if the elements exceed 32-bit indices.
    pub fn scratch_bytes(&self, elements: u32) -> Result<u64, Error> {
        Ok(bytes_of_parts(&self.build.device, &self.layout(elements, None)?.parts()))
    }

    fn layout(&self, elements: u32, segments: Option<u32>) -> Result<MatchLayout, Error> {
        MatchLayout::new(elements, segments, self.variant(elements))
    }

    fn place_scratch(
        &self,
        elements: u32,
        memory: Option<BufferBinding<'_>>,
    ) -> Result<MatchScratch, Error> {
        self.place(self.layout(elements, None)?, memory)
    }

    fn place<Object>(
        &self,
        layout: MatchLayout,
        memory: Option<BufferBinding<'_>>,
    ) -> Result<MatchScratch<Object>, Error> {
        let Build { device, label, .. } = &self.build;
        let reads = 0..layout.builds().len() as u32;
        let levels: Vec<_> =
            reads.map(|read| MatchLevel { read, ..MatchLevel::default() }).collect();
        let plan = uniform(device, label, "plan", bytemuck::bytes_of(&layout.plan))?;
        Ok(MatchScratch {
            parts: place_parts(device, label, &layout.parts(), memory)?,
            plan: Range::whole("plan", plan),
            levels: Levels::of(device, label, &levels)?,
            layout,
            object: PhantomData,
        })
    }

    /// Binds ranges that are large enough for the scratch.
    ///
    /// # Errors
    /// Same as [`Stage::bind`](crate::Stage::bind).
    pub fn bind(&self, buffers: &MatchBindings<'_>, scratch: &MatchScratch) -> Result<Job, Error> {
        let kernels = self.kernels_for(&scratch.layout)?;
        let needs = self.needs(buffers, &scratch.layout);
        let mut ranges = check(&self.build.device, needs, &scratch.parts)?;
        ranges.extend(scratch.ranges());
        let mut job = JobBuilder::new(&self.build, &ranges, &scratch.levels);
        kernels.add(&mut job, &scratch.layout)?;
        Ok(job.finish())
    }

    fn needs<'a>(&self, buffers: &MatchBindings<'a>, layout: &MatchLayout) -> [Need<'a>; 3] {
        let elements = layout.plan.element_capacity;
        let (name, input_bytes) = if self.bits {
            ("bits", bytes(4, elements.div_ceil(32)))
        } else {
            ("tags", vector_bytes(elements))
        };
        [
            Need::params(&buffers.params),
            Need::storage(name, &buffers.input, input_bytes),
            Need::storage("links", &buffers.links, vector_bytes(elements)),
        ]
    }

    /// The kernels for a layout.
    fn kernels_for(&self, layout: &MatchLayout) -> Result<&Kernels, Error> {
        let kernels = self.kernels(layout.plan.element_capacity);
        let fits = layout.variant == kernels.variant;
        if fits { Ok(kernels) } else { Err(Error::ForeignScratch) }
    }

    fn kernels(&self, elements: u32) -> &Kernels {
        let last = self.kernels.len() - 1;
        let fits = |kernels: &&Kernels| elements <= kernels.elements;
        self.kernels[..last].iter().find(fits).unwrap_or(&self.kernels[last])
    }
}

fn compiler_for<'a>(build: &'a Build, input: MatchInput<'a>) -> Compiler<'a> {
    let MatchInput::Roles(role) = input else { return build.compiler() };
    // Caller-supplied WGSL needs wgpu's checks.
    let custom = Custom { role: Some(role), ..Custom::default() };
    Compiler { custom, checked: true, ..build.compiler() }
}

scratch_methods!(Matcher -> MatchScratch, elements: u32);

/// The number of pyramid nodes that a thread combines sequentially: just enough for one workgroup to
/// cover all tiles. Beyond `LONGEST_RUN`, another level is faster, because tiles that look far back slow
/// down.
fn run(tiles: u32, threads: u32) -> u32 {
    let whole = tiles.div_ceil(threads).next_power_of_two();
    if whole <= LONGEST_RUN { whole } else { RUN_OF_MANY }
}

const LONGEST_RUN: u32 = 8;
const RUN_OF_MANY: u32 = 4;

/// Node counts of the pyramid levels over `tiles`, up to the first level that fits one workgroup.
fn pyramid_levels(tiles: u32, fan: u32) -> Vec<u32> {
    let mut levels = vec![tiles];
    let mut nodes = tiles;
    while nodes > fan {
        nodes = nodes.div_ceil(fan);
        levels.push(nodes);
    }
    levels
}
