//! The whole stage: from an element stream to a box for every element.

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

/// Which of its two passes a stage runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Passes {
    /// Clips flow down, contents grow up.
    #[default]
    ClipsAndBlends,
    /// Clips flow down. The bounds of a node are its clip box; `contents` is not written. A capacity with filters
    /// runs both passes all the same, and one dispatch more; the contents are then in the scratch.
    ClipsOnly,
    /// Contents grow up from the unclipped boxes of draws. A non-local blend contributes the
    /// viewport; `clips` is not written.
    BlendsOnly,
}

impl Passes {
    /// The task of the kernels.
    const fn task(self, stream: Stream) -> Task {
        match self {
            Self::ClipsAndBlends => Task::both(stream),
            Self::ClipsOnly => Task::down(stream),
            Self::BlendsOnly => Task::up(stream),
        }
    }

    /// The requirements on the clip boxes and the content boxes of `len` nodes, where they are written.
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
    /// Which passes it runs.
    passes: Passes,
    /// Whether large scenes of few markers get kernels of their own, which take a third to four fifths
    /// of the time and a fifth of the memory: see [`Stage`]. A [`NodeStage`] has no use for them.
    few_markers: bool,
    /// The most filters around an element, as
    /// [`Stream::filter_depth`](treebounds_core::Stream::filter_depth) counts them, up to 16. With 0,
    /// the default, no kernels for filters are compiled. With 1 there is one set, with more two. Scenes
    /// in which a node [fills](treebounds_core::Tag::FILLS) its clip need at least 1.
    filter_depth: u32,
    /// Whether a job can be recorded for fewer elements than its capacity, with [`Job::up_to`]. Binding then
    /// makes a bind group for each kernel and power of two.
    frame_sizes: bool,
    /// Whether a [`Stage`] writes [`OutputBindings::landings`]. Needs a `filter_depth`: without filters,
    /// landings are the boxes.
    landings: bool,
}

/// The stage, built for a device: the bounds of every element of a scene, from its tags and rects.
///
/// **Filters** ([`SPREAD`](treebounds_core::Tag::SPREAD), [`FILLS`](treebounds_core::Tag::FILLS)) need
/// [`StageDescriptor::filter_depth`] and [`Capacity::filter_depth`]. With at most one filter around each
/// element, the stage still runs once, with values of 48 bytes instead of 16. With d > 1, it runs
/// 2 d + 1 times, each time on the elements with the same number of filters around them. If a GPU kernel
/// writes a stream with more filters around an element, [`Counts::status`](crate::Counts) has the flag
/// `FILTERS_TOO_DEEP`, and boxes are too large rather than too small. A capacity without filters ignores
/// these bits in buffers that a GPU kernel fills, and boxes are then wrong.
///
/// **Compiling**: [`Stage::new`] compiles every kernel that the descriptor asks for, and nothing is
/// compiled later. That is 17 kernels (14 for [`Passes::ClipsOnly`]), about as many again for few
/// markers, and again for each set for filters, on as many threads as there are processors. A driver may
/// take a tenth of a second for a kernel that it sees for the first time. A renderer that must show a
/// frame meanwhile builds the stage on a thread of its own, or in a task of its pool, and looks for it
/// in each frame:
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
/// In a browser, `new` returns at once, and the browser compiles beside the page: a frame that is
/// submitted before that is done starts later. A failure is returned, and `new` can be called again.
///
/// Dispatches of a job, by the capacity of its scratch, with 256 threads per workgroup:
///
/// | elements | dispatches | clips only |
/// |---|---|---|
/// | up to 1,024 (256 where a device has fewer threads) | 1; 3 where a device has fewer than 9 storage buffers | 1 |
/// | up to 2<sup>18</sup> (2<sup>16</sup>) | 3 | 3 |
/// | up to 2<sup>20</sup> | 4 | 4 |
/// | any number | 6 | 5 |
///
/// Memory traffic is about 100 bytes per marker and 60 per draw.
///
/// If a scene has more than 2<sup>18</sup> elements, its [`Capacity`] has at most one marker per eight
/// elements and the descriptor says [`few_markers`](StageDescriptor::few_markers), the stage compacts the
/// markers first. That takes two more dispatches (three beyond
/// 2<sup>24</sup> elements; one less for clips alone), and the table then counts markers plus one
/// thirty-second of the elements. It needs a third to four fifths of the time and a fifth of the
/// memory or less.
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
    /// [`Error::DeviceLacks`], [`Error::NoSubgroups`] and [`Error::SubgroupsOnDirect3D`] where the
    /// device has too little for the descriptor, [`Error::Variant`] where there are no such kernels,
    /// [`Error::Kernel`] where the device refuses one; [`Error::FilterDepth`] for more than 16 filters,
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

    /// A stage for this stream, and for others of the same size.
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

    /// The kernels for filters.
    fn filters(&self, capacity: Capacity) -> Result<&Filters, Error> {
        let too_deep = Error::FilterDepth { needed: capacity.filter_depth, limit: 0 };
        self.filters.as_ref().ok_or(too_deep)
    }

    /// The variant for this many elements, unless few of them are markers.
    pub fn variant(&self, elements: u32) -> Variant {
        self.kernels.tree.strategies.variant(elements)
    }

    /// The device it was built for.
    pub fn device(&self) -> &wgpu::Device {
        &self.kernels.tree.build.device
    }

    /// Bytes of a scratch of this capacity: 33 to 41 per element, with one pass alone 17 to 29; where
    /// markers are few, a fifth of that or less; with at most one filter around an element, 61 to 77.
    /// With more, the streams of levels have buffers of their own in addition, because the stage only
    /// reads them: 24 bytes for each level and each element or marker.
    ///
    /// # Errors
    /// [`Error::TooMany`] where 32-bit indices do not suffice; [`Error::FilterDepth`] for more filters
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
            tree.plain = self.kernels.scratch_in(&tree)?.map(Box::new);
            return Ok(Scratch::new(tree));
        }
        self.kernels.scratch(capacity, memory).map(Scratch::new)
    }

    /// Binds ranges that are large enough for the scratch's capacity. The job can be recorded in any
    /// number of frames, and the count in `params` may change from frame to frame.
    ///
    /// # Errors
    /// [`Error::BufferTooSmall`], [`Error::OutsideBuffer`], [`Error::Unaligned`],
    /// [`Error::BufferUsage`], [`Error::Overlap`], [`Error::MixedAccess`], [`Error::TooLarge`] for a
    /// range that does not fit; [`Error::MissingOutput`]; [`Error::FilterDepth`] where the inputs may have
    /// more filters than the scratch; [`Error::ForeignScratch`]; [`Error::Device`] where a buffer was
    /// destroyed or belongs to another device (a browser reports that when the job is submitted).
    ///
    /// All objects must come from one [`wgpu::Instance`], because wgpu cannot tell objects of two
    /// instances apart. If a buffer is destroyed later, the submission fails and nothing of it runs. If
    /// the device is lost, `bind` may succeed; the work never runs, and the next readback fails.
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
            // Of a stage that differs in this: its landings would stay unwritten.
            _ => Err(Error::ForeignScratch),
        };
        let job = with_landings(filters.bind(scratch, &ranges, self.frame_sizes)?)?;
        let Some(plain) = &scratch.plain else { return Ok(job) };
        let plain = with_landings(self.kernels.bind(plain, &ranges, self.frame_sizes)?)?;
        Ok(job.with_plain(plain))
    }

    /// [`Stage::bind`] and [`Binner::bind`] as one job: the lists of the bins of the canvas. Both scratches
    /// are for the same number of elements. Elements are binned by their boxes, and in a scene with
    /// filters by their [landings](StageDescriptor::landings).
    ///
    /// # Errors
    /// As both; [`Error::CapacitiesDiffer`]; [`Error::MissingOutput`] for a scene with filters without
    /// landings.
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
