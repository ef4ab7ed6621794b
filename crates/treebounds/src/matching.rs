//! Parentheses matching alone, for parsers and tree code as much as for scenes.

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

/// What a [`Matcher`] reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MatchInput<'a> {
    /// One [tag](treebounds_core::Tag) word per element, of which only the role is read: 1 opens, 2
    /// closes, anything else does neither.
    #[default]
    Tags,
    /// One word per element, to which this WGSL gives a role: a module with names of its own that
    /// declares `fn role(tag: u32) -> u32`. It returns 1 for what opens, 2 for what closes and 0 for
    /// what does neither. The kernels are then always compiled with wgpu's checks of indices and
    /// loops, and so are slower.
    Roles(&'a str),
    /// One bit per element, from the lowest of the first word on: a set bit opens, a clear bit closes.
    Bits,
}

descriptor! {
    /// How to build a [`Matcher`].
    MatcherDescriptor: "treebounds matcher"
    /// The form of the input.
    input: MatchInput<'a>,
    /// Elements per thread: 1 to 32, or 64, rounded up to a multiple of 4. `None` chooses by the
    /// device and the number of elements.
    per_thread: Option<u32>,
}

/// The ranges that a [`Matcher`] reads and writes, for a capacity of n elements.
/// [`InputBindings`](crate::InputBindings) says how ranges may share buffers.
///
/// | range | content | bytes | usage |
/// |---|---|---|---|
/// | `params` | [`Params`](crate::Params); the viewport is not read | 32 | `UNIFORM` |
/// | `input` | what [`MatchInput`] says | 4 n, rounded up to a multiple of 16; of bits n / 8, in whole words | `STORAGE` |
/// | `links` | per element, its link | 4 n, rounded up to a multiple of 16 | `STORAGE` |
///
/// The count in `params` may come from the host or from another kernel; more elements than the
/// capacity are ignored. Links are written in vectors of 16 bytes: what follows the count in the last
/// vector is overwritten.
#[derive(Clone, Debug)]
pub struct MatchBindings<'a> {
    /// How many elements there are.
    pub params: BufferBinding<'a>,
    /// The parentheses.
    pub input: BufferBinding<'a>,
    /// The answer.
    pub links: BufferBinding<'a>,
}

/// Parentheses matching.
///
/// The link of a close is the index of its open; the link of an open is its parent, the nearest open
/// around it; the link of anything else is `NONE`; so is a link whose open does not exist. Any length,
/// any depth, balanced or not: the same as [`reference::links`](treebounds_core::reference::links).
///
/// Cost: 2 dispatches while there are at most 8 times as many tiles as a workgroup has threads (by
/// default up to 2<sup>24</sup> elements, 2<sup>25</sup> where a workgroup may have 512 threads), and
/// one more for every level of a tree over the tiles, whose nodes have 4 times as many children as
/// there are threads. Memory traffic per element is 8.75 bytes from tags or 4.875 from bits, and 8
/// more for each element that another tile looks up (16 where more than 256 in a tile come from
/// several tiles), whether balanced or not, deep or flat. It is linear in the number of elements.
///
/// Source: the bicyclic semigroup and its search are from Levien, [Fast GPU bounding boxes on
/// tree-structured scenes](https://arxiv.org/abs/2205.11659) (2022), section 3 and Figure 2;
/// [`MATCHING.md`](https://github.com/treebounds/treebounds/blob/main/shaders/MATCHING.md) explains
/// the rest, with its costs.
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
    /// Whether it reads bits.
    bits: bool,
    /// For few elements, then for more: at least one.
    kernels: Vec<Kernels>,
}

/// The pipelines of a variant.
#[derive(Clone, Debug)]
struct Kernels {
    variant: Variant,
    /// The most elements that this variant is the best for.
    elements: u32,
    reduce: Pipeline,
    build: Pipeline,
    resolve: Pipeline,
}

impl Kernels {
    /// Adds the dispatches that find the links.
    fn add(&self, job: &mut JobBuilder<'_>, layout: &MatchLayout) -> Result<(), Error> {
        job.add(&self.reduce, layout.tiles(), 0)?;
        for (level, groups) in layout.builds().iter().enumerate() {
            job.add(&self.build, *groups, level)?;
        }
        job.add(&self.resolve, layout.tiles(), 0)
    }
}

/// Working memory of a [`Matcher`] or a [`BracketMatcher`] for a number of elements, as
/// [`Scratch`](crate::Scratch).
#[derive(Clone, Debug)]
pub struct MatchScratch<Object = Matcher> {
    layout: MatchLayout,
    /// Counts, pyramid, slices and bitmaps; for brackets, also products of tiles.
    parts: Vec<Range>,
    plan: Range,
    levels: Levels,
    object: PhantomData<fn(&Object)>,
}

/// A number of elements, laid out for a variant.
#[derive(Clone, Debug)]
struct MatchLayout {
    variant: Variant,
    plan: MatchPlan,
    /// Nodes of each level of the pyramid, from the tiles on.
    levels: Vec<u32>,
    /// Whether it is for brackets.
    brackets: bool,
}

impl MatchLayout {
    /// For brackets with room for this many `segments`, or for matching alone.
    fn new(elements: u32, segments: Option<u32>, variant: Variant) -> Result<Self, Error> {
        check_count("elements", elements, &variant)?;
        let tiles = ceil_div(elements, variant.tile());
        let run = run(tiles, variant.workgroup_size());
        let plan = MatchPlan {
            element_capacity: elements,
            children_per_thread: run,
            // No more than elements, whose count fits.
            bitmap_words: tiles * variant.bitmap_words(),
            // More segments than that there cannot be.
            segment_capacity: segments.unwrap_or(0).min(elements + 1),
        };
        let levels = pyramid_levels(tiles, variant.workgroup_size() * run);
        Ok(Self { variant, plan, levels, brackets: segments.is_some() })
    }

    fn tiles(&self) -> u32 {
        self.levels[0]
    }

    /// The workgroups of each dispatch that builds a level of the pyramid: one per node of the level.
    fn builds(&self) -> &[u32] {
        &self.levels[1..]
    }

    /// The parts of a scratch.
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
    /// [`Counts`] of the last job that ran with this scratch: how many elements were used, and
    /// [`Counts::ELEMENTS_CLAMPED`] where there were more than the capacity. `markers` means nothing.
    /// A buffer that [`Matcher::scratch`] created can be copied from. A [`BracketMatcher`] writes
    /// [`BracketCounts`](crate::BracketCounts) instead.
    pub fn counts(&self) -> BufferBinding<'_> {
        self.parts[0].binding()
    }

    /// What kernels bind of it, without the levels.
    fn ranges(&self) -> impl Iterator<Item = Range> {
        self.parts.iter().chain([&self.plan]).cloned()
    }

    /// The variant that it was made for.
    pub fn variant(&self) -> Variant {
        self.layout.variant
    }

    /// Bytes of GPU memory that it uses, the caller's included.
    pub fn bytes(&self) -> u64 {
        let all = self.parts.iter().chain([&self.plan]);
        all.map(Range::bytes).sum::<u64>() + self.levels.bytes()
    }
}

impl Matcher {
    /// Builds matching for a device.
    ///
    /// # Errors
    /// As [`Stage::new`](crate::Stage::new); [`Error::Kernel`] where the WGSL of
    /// [`MatchInput::Roles`] is wrong.
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

    /// The variant for this many elements.
    pub fn variant(&self, elements: u32) -> Variant {
        self.kernels(elements).variant
    }

    /// Bytes of a scratch for this many elements: at most 5.25 per element from 4,096 on, 4.5 beyond
    /// 2<sup>18</sup>.
    ///
    /// # Errors
    /// [`Error::TooMany`] where 32-bit indices do not suffice.
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
    /// As [`Stage::bind`](crate::Stage::bind).
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

/// The compiler of kernels that read this input.
fn compiler_for<'a>(build: &'a Build, input: MatchInput<'a>) -> Compiler<'a> {
    let MatchInput::Roles(role) = input else { return build.compiler() };
    // Not all of the module is ours then, so it is checked.
    let custom = Custom { role: Some(role), ..Custom::default() };
    Compiler { custom, checked: true, ..build.compiler() }
}

scratch_methods!(Matcher -> MatchScratch, elements: u32);

/// The number of nodes of a pyramid over this many tiles a thread combines by itself: just enough for one
/// workgroup to hold all tiles. If that would be many, another level costs less than the tiles
/// lose that look far back.
fn run(tiles: u32, threads: u32) -> u32 {
    let whole = tiles.div_ceil(threads).next_power_of_two();
    if whole <= LONGEST_RUN { whole } else { RUN_OF_MANY }
}

const LONGEST_RUN: u32 = 8;
const RUN_OF_MANY: u32 = 4;

/// Nodes on each level of the pyramid over this many tiles, up to the first that one workgroup holds.
fn pyramid_levels(tiles: u32, fan: u32) -> Vec<u32> {
    let mut levels = vec![tiles];
    let mut nodes = tiles;
    while nodes > fan {
        nodes = nodes.div_ceil(fan);
        levels.push(nodes);
    }
    levels
}
