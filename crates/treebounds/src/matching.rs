//! Parentheses matching alone, for parsers and tree code as much as for scenes.

use crate::buffers::{Need, bytes, check, create};
use crate::compiler::Compiler;
use crate::job::JobBuilder;
use crate::pipelines::Pipeline;
use crate::plan::{ceil_div, check_count, pyramid_levels, run};
use crate::scratch::{Levels, uniform};
use crate::{Error, Job, Options};
use treebounds_shaders::{Binding, Counts, Custom, Kernel, MatchLevel, MatchPlan, Params, Variant};
use wgpu::BufferUsages;

/// What [`Matcher`] reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MatchInput<'a> {
    /// A [tag](treebounds_core::Tag) word an element, of which only the role is
    /// read: 1 opens, 2 closes, anything else does neither.
    #[default]
    Tags,
    /// A word an element that this WGSL gives a role: a module that declares `fn role(tag: u32) -> u32`, which returns
    /// 1 for what opens, 2 for what closes and 0 for what does neither. Its names are its own. The kernels
    /// are then compiled with wgpu's checks of indices and loops, as for [`Options::checked`], and so are slower.
    Roles(&'a str),
    /// One bit an element, from the lowest of the first word on: a set bit opens,
    /// a clear one closes.
    Bits,
}

/// Parentheses matching.
///
/// For a close, the link is the index of its open; for an open, that of the
/// nearest open around it; `NONE` where there is none, and for what does neither.
/// Any length, any depth, balanced or not: the same as
/// [`reference::links`](treebounds_core::reference::links).
///
/// Cost: 2 dispatches for up to 8 times as many tiles as a workgroup has threads (by
/// default up to 2<sup>24</sup> elements, 2<sup>25</sup> where a workgroup may have 512
/// threads), and one more for every level of a tree over the tiles, each node of which has
/// 4 times as many children as there are threads.
/// Memory traffic of 8.75 bytes an element from tags, 4.875 from bits, and 8 more
/// for each that another tile looks at (16 where more than 256 of a tile come from several tiles), balanced or not, deep or flat. Linear
/// in the number of elements, without a limit on depth.
///
/// Source: the bicyclic semigroup and its search are those of Levien, [Fast GPU
/// bounding boxes on tree-structured scenes](https://arxiv.org/abs/2205.11659)
/// (2022), section 3 and Figure 2; the rest is explained, with what it costs, in
/// [`MATCHING.md`](https://github.com/treebounds/treebounds/blob/main/shaders/MATCHING.md).
///
/// ```
/// use treebounds::{Job, Matcher, MatchInput, MatchScratch, Options};
///
/// /// The parentheses of a text, a character a word.
/// const TEXT: MatchInput = MatchInput::Roles(
///     "fn role(tag: u32) -> u32 { return select(select(0u, 2u, tag == 41u), 1u, tag == 40u); }",
/// );
///
/// fn parentheses(
///     device: &wgpu::Device,
///     [params, text, links]: [&wgpu::Buffer; 3],
///     characters: u32,
/// ) -> Result<(Job, MatchScratch), treebounds::Error> {
///     let matching = Matcher::reading(device, TEXT, &Options::default())?;
///     let scratch = matching.scratch(characters)?;
///     let job = matching.bind(params, text, links, &scratch)?;
///     Ok((job, scratch))
/// }
/// # use treebounds::wgpu;
/// ```
#[derive(Clone, Debug)]
pub struct Matcher {
    device: wgpu::Device,
    bits: bool,
    /// From the smallest tile to the largest, at least one.
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

/// Working memory of [`Matcher`] for a number of elements.
#[derive(Clone, Debug)]
pub struct MatchScratch {
    layout: MatchLayout,
    pyramid: wgpu::Buffer,
    slices: wgpu::Buffer,
    bitmaps: wgpu::Buffer,
    plan: wgpu::Buffer,
    levels: Levels,
    counts: wgpu::Buffer,
}

/// A number of elements, laid out for a variant.
#[derive(Clone, Debug)]
struct MatchLayout {
    variant: Variant,
    plan: MatchPlan,
    /// Nodes of each level of the pyramid, from the tiles on.
    levels: Vec<u32>,
}

impl MatchLayout {
    fn new(elements: u32, variant: Variant) -> Result<Self, Error> {
        check_count("elements", elements, &variant)?;
        let tiles = ceil_div(elements, variant.tile());
        let run = run(tiles, variant.workgroup_size());
        let plan = MatchPlan {
            element_capacity: elements,
            children_per_thread: run,
            // No more than elements, whose count fits.
            bitmap_words: tiles * variant.bitmap_words(),
            pad0: 0,
        };
        let levels = pyramid_levels(tiles, variant.workgroup_size() * run);
        Ok(Self { variant, plan, levels })
    }

    fn tiles(&self) -> u32 {
        self.levels[0]
    }

    /// The workgroups of each dispatch that builds a level of the pyramid: as many as that level has nodes.
    fn builds(&self) -> &[u32] {
        &self.levels[1..]
    }

    fn pyramid_bytes(&self) -> u64 {
        self.levels.iter().map(|nodes| bytes(8, *nodes)).sum()
    }

    fn slice_bytes(&self) -> u64 {
        bytes(4, self.tiles()) * u64::from(self.variant.tile())
    }

    fn bitmap_bytes(&self) -> u64 {
        bytes(4, self.plan.bitmap_words) * u64::from(self.variant.bitmaps())
    }
}

impl MatchScratch {
    /// [`Counts`] of the last job that ran with this scratch, 16 bytes: how many
    /// elements were used, and [`Counts::ELEMENTS_CLAMPED`] where there were more
    /// than the capacity. The buffer can be copied from; `nodes` means nothing.
    pub fn counts(&self) -> &wgpu::Buffer {
        &self.counts
    }

    /// The variant that it was made for.
    pub fn variant(&self) -> Variant {
        self.layout.variant
    }

    /// How many bytes of GPU memory it holds.
    pub fn bytes(&self) -> u64 {
        let own = [&self.pyramid, &self.slices, &self.bitmaps, &self.plan, &self.counts];
        own.into_iter().map(wgpu::Buffer::size).sum::<u64>() + self.levels.bytes()
    }
}

impl Matcher {
    /// Builds matching of [tags](MatchInput::Tags) for a device.
    ///
    /// # Errors
    /// As [`Stage::new`](crate::Stage::new).
    pub fn new(device: &wgpu::Device, options: &Options) -> Result<Self, Error> {
        Self::reading(device, MatchInput::Tags, options)
    }

    /// Builds matching of any input for a device.
    ///
    /// # Errors
    /// As [`Stage::new`](crate::Stage::new); [`Error::Kernel`] where the WGSL of
    /// [`MatchInput::Roles`] is wrong.
    pub fn reading(
        device: &wgpu::Device,
        input: MatchInput<'_>,
        options: &Options,
    ) -> Result<Self, Error> {
        let bits = input == MatchInput::Bits;
        let reduce = if bits { Kernel::MatchReduceBits } else { Kernel::MatchReduce };
        let role = if let MatchInput::Roles(role) = input { Some(role) } else { None };
        let mut custom = Custom::default();
        custom.role = role.unwrap_or(custom.role);
        // Not all of the module is ours then: no kernel goes unchecked.
        let compiler =
            Compiler { custom, ..Compiler::new(device, options.checked || role.is_some()) };
        let variants = options.match_variants(device)?;
        let of = |&(variant, _): &(Variant, u32)| {
            [reduce, Kernel::MatchBuild, Kernel::MatchResolve].map(|kernel| (kernel, variant))
        };
        let compiled = compiler.compile(variants.iter().flat_map(of));
        let build = |(variant, elements)| {
            let pipeline = |kernel| compiled.pipeline(kernel, &variant);
            Ok(Kernels {
                variant,
                elements,
                reduce: pipeline(reduce)?,
                build: pipeline(Kernel::MatchBuild)?,
                resolve: pipeline(Kernel::MatchResolve)?,
            })
        };
        let kernels = variants.into_iter().map(build).collect::<Result<_, Error>>()?;
        Ok(Self { device: device.clone(), bits, kernels })
    }

    /// The variant that serves this many elements.
    pub fn variant(&self, elements: u32) -> Variant {
        self.kernels(elements).variant
    }

    /// How many bytes of GPU memory a scratch for this many elements will hold: a word an element, for up to 2<sup>18</sup> a
    /// word for every 4 of them, up to 2<sup>21</sup> a word for every 16, for more three words for every 32; and two
    /// words a tile. From 4096 elements on at most 5.25 bytes an element, from 2<sup>18</sup> + 1 on at most 4.5.
    ///
    /// # Errors
    /// [`Error::TooMany`] where 32-bit indices do not reach.
    pub fn scratch_bytes(&self, elements: u32) -> Result<u64, Error> {
        let layout = MatchLayout::new(elements, self.variant(elements))?;
        Ok(layout.pyramid_bytes() + layout.slice_bytes() + layout.bitmap_bytes())
    }

    /// Working memory for this many elements.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::TooMany`], or [`Error::Device`] where memory runs out.
    pub fn scratch(&self, elements: u32) -> Result<MatchScratch, Error> {
        let layout = MatchLayout::new(elements, self.variant(elements))?;
        let device = &self.device;
        let storage = BufferUsages::STORAGE;
        let counts = storage | BufferUsages::COPY_SRC;
        let reads = 0..layout.builds().len() as u32;
        let levels: Vec<_> =
            reads.map(|read| MatchLevel { read, ..MatchLevel::default() }).collect();
        Ok(MatchScratch {
            pyramid: create(device, "match pyramid", layout.pyramid_bytes(), storage)?,
            slices: create(device, "match slices", layout.slice_bytes(), storage)?,
            bitmaps: create(device, "match bitmaps", layout.bitmap_bytes(), storage)?,
            plan: uniform(device, "match plan", bytemuck::bytes_of(&layout.plan))?,
            levels: Levels::of(device, &levels)?,
            counts: create(device, "match counts", size_of::<Counts>() as u64, counts)?,
            layout,
        })
    }

    /// Binds buffers: `params` ([`Params`], of which the viewport is not read; the
    /// count may come from the host or from another kernel, and is cut to the
    /// capacity of the scratch), the input, and `links`, 4 bytes an element of that
    /// capacity. Words come and go in whole vectors of 16 bytes: both buffers are
    /// that much longer, and what is beyond the count in the last vector of `links`
    /// is overwritten. Bits want whole words.
    ///
    /// # Errors
    /// As [`Stage::bind`](crate::Stage::bind).
    pub fn bind(
        &self,
        params: &wgpu::Buffer,
        input: &wgpu::Buffer,
        links: &wgpu::Buffer,
        scratch: &MatchScratch,
    ) -> Result<Job, Error> {
        let layout = &scratch.layout;
        let elements = layout.plan.element_capacity;
        let kernels = self.kernels(elements);
        if layout.variant != kernels.variant {
            return Err(Error::ForeignScratch);
        }
        let vectors = bytes(4, elements).next_multiple_of(16);
        let (name, input_bytes) =
            if self.bits { ("bits", bytes(4, elements.div_ceil(32))) } else { ("tags", vectors) };
        let needs: [Need<'_>; 3] = [
            ("params", params, size_of::<Params>() as u64, BufferUsages::UNIFORM),
            (name, input, input_bytes, BufferUsages::STORAGE),
            ("links", links, vectors, BufferUsages::STORAGE),
        ];
        check(&self.device, &needs)?;

        let buffers = |binding| match binding {
            Binding::Params => Some((params, size_of::<Params>() as u64)),
            Binding::Tags4 | Binding::BitsIn => Some((input, input_bytes)),
            Binding::Links4 => Some((links, vectors)),
            Binding::MatchPlan => Some((&scratch.plan, scratch.plan.size())),
            Binding::Counts => Some((&scratch.counts, scratch.counts.size())),
            Binding::Pyramid => Some((&scratch.pyramid, scratch.pyramid.size())),
            Binding::Slices => Some((&scratch.slices, scratch.slices.size())),
            Binding::Bitmaps => Some((&scratch.bitmaps, scratch.bitmaps.size())),
            _ => None,
        };
        let mut job = JobBuilder::new(&self.device, &buffers, &scratch.levels);
        job.add(&kernels.reduce, layout.tiles(), 0)?;
        for (level, groups) in layout.builds().iter().enumerate() {
            job.add(&kernels.build, *groups, level)?;
        }
        job.add(&kernels.resolve, layout.tiles(), 0)?;
        Ok(job.finish("treebounds match"))
    }

    fn kernels(&self, elements: u32) -> &Kernels {
        let last = self.kernels.len() - 1;
        let fits = |kernels: &&Kernels| elements <= kernels.elements;
        self.kernels[..last].iter().find(fits).unwrap_or(&self.kernels[last])
    }
}
