//! The stage computes a box for every element of a stream.

mod buffers;
mod compaction;
mod compute;
mod filters;
mod landings;
mod layout;
mod nodes;
mod scene;
pub(crate) mod scratch;
mod smaller;
pub(crate) mod tree;

pub use buffers::{Capacity, InputBindings, Inputs, OutputBindings, Outputs};
pub use compaction::{CompactBindings, Compactor, CompactorDescriptor};
pub use compute::{Times, compute, compute_async, compute_timed};
pub use nodes::{NodeOutputBindings, NodeOutputs, NodeStage};
pub use scratch::Scratch;

use crate::gpu::buffers::{Need, bytes, check, scratch_methods};
use crate::gpu::pipelines::descriptor;
use crate::{BinBindings, BinScratch, Binner, Error, Job};
use filters::Filters;
use landings::Landings;
use scene::SceneKernels;
use treebounds_shaders::{Stream, Task, Variant};
use wgpu::BufferBinding;

/// The passes that a stage runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Passes {
    /// Clips flow down, contents grow up.
    #[default]
    ClipsAndBlends,
    /// Clips flow down. The bounds of a node are its clip box. `contents` is not written. In scenes with filters,
    /// both passes run, contents are stored in the scratch, and one more dispatch is needed.
    ClipsOnly,
    /// Contents grow up from the unclipped boxes of draws. Non-local blends contribute the
    /// viewport. `clips` is not written.
    BlendsOnly,
}

impl Passes {
    /// The kernel task for these passes.
    const fn task(self, stream: Stream) -> Task {
        match self {
            Self::ClipsAndBlends => Task::both(stream),
            Self::ClipsOnly => Task::down(stream),
            Self::BlendsOnly => Task::up(stream),
        }
    }

    /// The requirements on the ranges for clip boxes and content boxes of `len` nodes, if written.
    ///
    /// # Errors
    /// [`Error::MissingOutput`].
    fn boxes_of_nodes<'a>(
        self,
        clips: &Option<BufferBinding<'a>>,
        contents: &Option<BufferBinding<'a>>,
        len: u32,
    ) -> Result<Vec<Need<'a>>, Error> {
        let written = [
            ("clips", clips, self != Self::BlendsOnly),
            ("contents", contents, self != Self::ClipsOnly),
        ];
        let need = |(name, binding, _): (_, &Option<BufferBinding<'a>>, _)| {
            let binding = binding.as_ref().ok_or(Error::MissingOutput { buffer: name })?;
            Ok(Need::storage(name, binding, bytes(16, len)))
        };
        written.into_iter().filter(|row| row.2).map(need).collect()
    }
}

descriptor! {
    /// How to build a [`Stage`] or a [`NodeStage`].
    StageDescriptor: "treebounds"
    /// The passes to run.
    passes: Passes,
    /// Whether to compile separate kernels for large scenes with few markers and at most one filter
    /// around each element. They reduce the time to between a third and four fifths, and the memory to a fifth:
    /// see [`Stage`]. With a `filter_depth`, this compiles a further set for scenes with filters. A [`NodeStage`]
    /// ignores it.
    few_markers: bool,
    /// The maximum number of filters around an element, as counted by
    /// [`Stream::filter_depth`](treebounds_core::Stream::filter_depth), up to 16. With 0, the default,
    /// no kernels for filters are compiled; with 1, one set; with more, two. Scenes with nodes that
    /// [fill](treebounds_core::Tag::FILLS) their clip need at least 1.
    filter_depth: u32,
    /// Whether [`Job::up_to`] can record a job for fewer elements than its capacity. Binding then
    /// creates a bind group for each kernel and power of two.
    frame_sizes: bool,
    /// Whether a [`Stage`] writes [`OutputBindings::landings`]. Ignored if `filter_depth` is 0: without
    /// filters, landings equal the boxes.
    landings: bool,
}

/// Computes the bounds of every element of a scene from its tags and rects.
///
/// **Filters** ([`SPREAD`](treebounds_core::Tag::SPREAD), [`FILLS`](treebounds_core::Tag::FILLS)) need
/// [`StageDescriptor::filter_depth`] and [`Capacity::filter_depth`]. With at most one filter around each
/// element, the stage still runs only once, with values of 48 bytes instead of 16. With d > 1, it runs
/// 2 d + 1 times, each time on the elements with the same number of filters around them. If a GPU kernel
/// writes a stream with more filters around an element, [`Counts::status`](crate::Counts) has the flag
/// `FILTERS_TOO_DEEP`, and boxes are too large rather than too small. If the capacity has no filters,
/// these bits are ignored in streams written by the GPU, and boxes are wrong.
///
/// **Compiling**: [`Stage::new`] compiles all kernels for its descriptor, and nothing is compiled later:
/// 17 kernels (14 for [`Passes::ClipsOnly`]), and about as many for each further set. `few_markers` adds one set,
/// a `filter_depth` of 1 adds one, and a larger one adds two; `few_markers` and filters together add another.
/// Kernels are compiled in parallel, on one thread per processor; the driver may take a tenth of a second for a
/// new kernel. To show frames meanwhile, build the stage on a separate thread or in a task, and poll it in each
/// frame:
///
/// ```
/// # use treebounds::{Error, Stage, StageDescriptor, wgpu};
/// # use std::{sync::mpsc, thread};
/// # fn start(device: &wgpu::Device) -> mpsc::Receiver<Result<Stage, Error>> {
/// let (sender, receiver) = mpsc::channel();
/// let device = device.clone();
/// thread::spawn(move || sender.send(Stage::new(&device, &StageDescriptor::default())));
/// receiver // in each frame, until it is there: `receiver.try_recv()`
/// # }
/// ```
///
/// In a browser, `new` returns immediately, and the browser compiles in the background. Frames
/// submitted earlier start when compilation is done. If `new` fails, it can be called again.
///
/// Dispatches per job, by scratch capacity, with 256 threads per workgroup:
///
/// | elements | dispatches | clips only |
/// |---|---|---|
/// | up to 1,024 (256 if the device has fewer threads) | 1; 3 if the device has fewer than 9 storage buffers | 1 |
/// | up to 2<sup>18</sup> (2<sup>16</sup>) | 3 | 3 |
/// | up to 2<sup>20</sup> | 4 | 4 |
/// | any number | 6 | 5 |
///
/// Memory traffic is about 100 bytes per marker and 60 per draw.
///
/// **Few markers**: with [`few_markers`](StageDescriptor::few_markers), the stage compacts the markers
/// first if the [`Capacity`] has more than 2<sup>18</sup> elements, at most one marker per eight
/// elements, and at most one filter around an element. Compaction adds two dispatches (three beyond
/// 2<sup>24</sup> elements; one less for clips only), and "elements" in the table then means markers
/// plus 1/32 of the elements. This reduces the time to between a third and four fifths, and the memory to at most
/// a fifth.
#[derive(Clone, Debug)]
pub struct Stage {
    kernels: SceneKernels,
    passes: Passes,
    frame_sizes: bool,
    filters: Option<Filters>,
    landings: Option<Landings>,
}

impl Stage {
    /// Builds the stage for a device.
    ///
    /// # Errors
    /// [`Error::DeviceLacks`], [`Error::NoSubgroups`] and [`Error::SubgroupsOnDirect3D`] if the device
    /// does not support the descriptor; [`Error::Variant`] for an invalid tuning; [`Error::Kernel`] if
    /// the device rejects a kernel; [`Error::FilterDepth`] for more than 16 filters;
    /// [`Error::FiltersNeedClips`].
    pub fn new(device: &wgpu::Device, descriptor: &StageDescriptor<'_>) -> Result<Self, Error> {
        let (build, passes) = (descriptor.build(device), descriptor.passes);
        let task = passes.task(Stream::Scene);
        let kernels = SceneKernels::new(&build, task, 16, descriptor.few_markers)?;
        let filters = Filters::new(&build, descriptor, Stream::Scene)?;
        let landings = descriptor.landings && filters.is_some();
        let landings = landings.then(|| Landings::new(&build)).transpose()?;
        Ok(Self { kernels, passes, frame_sizes: descriptor.frame_sizes, filters, landings })
    }

    /// Builds a stage for streams of one capacity.
    fn only_for(stream: &treebounds_core::Stream, device: &wgpu::Device) -> Result<Self, Error> {
        let (descriptor, capacity) = (StageDescriptor::default(), Capacity::of(stream));
        let (build, passes) = (descriptor.build(device), descriptor.passes);
        let task = passes.task(Stream::Scene);
        let (kernels, filters) = if capacity.filter_depth > 0 {
            let filters = Filters::only_for(&build, capacity)?;
            (SceneKernels::none(&build, task, 16)?, Some(filters))
        } else {
            (SceneKernels::only_for(&build, task, 16, capacity)?, None)
        };
        Ok(Self { kernels, passes, frame_sizes: false, filters, landings: None })
    }

    fn filters(&self, capacity: Capacity) -> Result<&Filters, Error> {
        let too_deep = Error::FilterDepth { needed: capacity.filter_depth, limit: 0 };
        self.filters.as_ref().ok_or(too_deep)
    }

    /// The variant for `elements` elements, except in scenes with few markers.
    pub fn variant(&self, elements: u32) -> Variant {
        self.kernels.tree.strategies.variant(elements)
    }

    /// The device of the stage.
    pub fn device(&self) -> &wgpu::Device {
        &self.kernels.tree.build.device
    }

    /// The size in bytes of a scratch for a capacity:
    /// - without filters, 33 to 41 bytes per element, or 17 to 29 with only one pass; at most a fifth of
    ///   this with few markers;
    /// - with at most one filter around an element, 61 to 77 bytes per element; less with few markers.
    ///
    /// With nested filters, the scratch allocates additional buffers for the streams of its levels: 24
    /// bytes per level for each element and marker. They are separate because the stage only reads them.
    ///
    /// # Errors
    /// [`Error::TooMany`] if the capacity exceeds 32-bit indices; [`Error::FilterDepth`] for more filters
    /// than the stage was built for.
    pub fn scratch_bytes(&self, capacity: Capacity) -> Result<u64, Error> {
        if capacity.filter_depth > 0 {
            return self.filters(capacity)?.scratch_bytes(&self.kernels.tree.build, capacity);
        }
        self.kernels.scratch_bytes(capacity)
    }

    fn place_scratch(
        &self,
        capacity: Capacity,
        memory: Option<BufferBinding<'_>>,
    ) -> Result<Scratch<Self>, Error> {
        let build = &self.kernels.tree.build;
        if capacity.filter_depth > 0 {
            let mut tree = self.filters(capacity)?.scratch(build, capacity, memory)?;
            let landings = self.landings.as_ref().map(|landings| landings.scratch(capacity));
            tree.landings = landings.transpose()?.map(Box::new);
            tree.plain = self.kernels.plain_scratch(&tree)?.map(Box::new);
            return Ok(Scratch::new(tree));
        }
        self.kernels.scratch(capacity, memory).map(Scratch::new)
    }

    /// Binds ranges that are large enough for the scratch's capacity. The job can be recorded in any
    /// number of frames, and the count in `params` may change from frame to frame.
    ///
    /// # Errors
    /// [`Error::BufferTooSmall`], [`Error::OutsideBuffer`], [`Error::Unaligned`],
    /// [`Error::BufferUsage`], [`Error::Overlap`], [`Error::MixedAccess`], [`Error::TooLarge`] for an
    /// unsuitable range; [`Error::MissingOutput`]; [`Error::FilterDepth`] if the inputs allow more
    /// filters than the scratch; [`Error::ForeignScratch`]; [`Error::Device`] if a buffer was destroyed
    /// or belongs to another device (browsers report this when the job is submitted).
    ///
    /// All objects must come from one [`wgpu::Instance`], because wgpu cannot distinguish objects of
    /// different instances. If a buffer is destroyed later, the whole submission fails. If the device is
    /// lost, `bind` may succeed, but the work never runs, and the next readback fails.
    pub fn bind<'a>(
        &self,
        inputs: impl Into<InputBindings<'a>>,
        outputs: impl Into<OutputBindings<'a>>,
        scratch: &Scratch<Self>,
    ) -> Result<Job, Error> {
        let (inputs, capacity) = (inputs.into(), scratch.capacity());
        inputs.check_depth(capacity.filter_depth)?;
        let mut needs = inputs.needs(capacity).to_vec();
        let (outputs, scratch) = (outputs.into(), &scratch.tree);
        needs.extend(outputs.needs(self.passes, capacity)?);
        if scratch.landings.is_some() {
            needs.push(outputs.landings_need(capacity)?);
        }
        let ranges = check(self.device(), needs, &scratch.parts)?;
        if capacity.filter_depth == 0 {
            return self.kernels.bind(scratch, &ranges, self.frame_sizes);
        }
        let filters = self.filters.as_ref().ok_or(Error::ForeignScratch)?;
        let with_landings = |job: Job| match (&self.landings, &scratch.landings) {
            (Some(landings), Some(own)) => landings.follow(job, own, &ranges),
            (None, None) => Ok(job),
            // The scratch was made by a stage with a different `landings` setting.
            _ => Err(Error::ForeignScratch),
        };
        let job = with_landings(filters.bind(scratch, &ranges, self.frame_sizes)?)?;
        let Some(plain) = &scratch.plain else { return Ok(job) };
        let plain = with_landings(self.kernels.bind(plain, &ranges, self.frame_sizes)?)?;
        Ok(job.with_plain(plain))
    }

    /// Combines [`Stage::bind`] and [`Binner::bind`] in one job. Both scratches must have the same
    /// number of elements. Elements are binned by their boxes, and in scenes with filters by their
    /// [landings](StageDescriptor::landings).
    ///
    /// # Errors
    /// The errors of [`Stage::bind`] and [`Binner::bind`]; [`Error::CapacitiesDiffer`]; [`Error::MissingOutput`]
    /// for a scene with filters but no landings.
    pub fn bind_bins<'a>(
        &self,
        inputs: impl Into<InputBindings<'a>>,
        outputs: impl Into<OutputBindings<'a>>,
        scratch: &Scratch<Self>,
        binner: &Binner,
        bins: impl Into<BinBindings<'a>>,
        bin_scratch: &BinScratch,
    ) -> Result<Job, Error> {
        let (stage, own) = (scratch.capacity().elements, bin_scratch.capacity().elements);
        if stage != own {
            return Err(Error::CapacitiesDiffer { stage, bins: own });
        }
        let (inputs, outputs, bins) = (inputs.into(), outputs.into(), bins.into());
        let mut needs = inputs.needs(scratch.capacity()).to_vec();
        needs.extend(outputs.needs(self.passes, scratch.capacity())?);
        let boxes = match scratch.tree.landings {
            Some(_) => {
                let need = outputs.landings_need(scratch.capacity())?;
                needs.push(need.clone());
                need.binding
            }
            None if scratch.capacity().filter_depth > 0 => {
                return Err(Error::MissingOutput { buffer: "landings" });
            }
            None => outputs.boxes.clone(),
        };
        needs.extend(bins.needs(bin_scratch.grid().bins().into(), bin_scratch.capacity().entries));
        let both = [&scratch.tree.parts[..], &bin_scratch.parts].concat();
        check(self.device(), needs, &both)?;
        let params = inputs.params.clone();
        let stage = self.bind(inputs, outputs, scratch)?;
        Ok(stage.then(binner.bind(params, boxes, bins, bin_scratch)?))
    }
}

scratch_methods!(Stage -> Scratch<Self>, capacity: Capacity);
