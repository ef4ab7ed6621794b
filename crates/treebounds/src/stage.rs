//! The whole stage: from an element stream to a box for every element.

mod buffers;
mod compute;
mod filters;
mod layout;
mod markers;
mod scratch;
pub(crate) mod tree;

pub use buffers::{Capacity, InputBindings, Inputs, OutputBindings, Outputs};
pub use compute::{Times, compute, compute_async, compute_timed};
pub use markers::{
    CompactBindings, Compactor, CompactorDescriptor, NodeOutputBindings, NodeOutputs, NodeStage,
};
pub use scratch::Scratch;

use crate::gpu::buffers::{Need, check, scratch_methods};
use crate::gpu::pipelines::{Build, descriptor};
use crate::{BinBindings, BinScratch, Binner, Error, Job};
use filters::{LazyFilters, filter_scratch_methods};
use std::sync::{Arc, OnceLock};
use tree::{FewMarkers, Strategies, Tree};
use treebounds_shaders::{Stream, Task, Variant};
use wgpu::BufferBinding;

/// The least number of elements per marker in a scene of few markers.
const FEW: u32 = 8;

/// The least number of tiles of such a scene, as a multiple of the threads of a workgroup: with
/// fewer, compaction costs more time than it saves.
const FEW_TILES: u32 = 4;

/// The most elements of such a scene: an entry numbers them with 30 bits, and the number of the last
/// mark may be 31 larger.
const MOST_FEW: u32 = (1 << 30) - 32;

/// Which of its two passes a stage runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Passes {
    /// Clips flow down, contents grow up.
    #[default]
    ClipsAndBlends,
    /// Clips flow down. The bounds of a node are its clip box; `contents` is not written.
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

    /// The requirements without the output that no kernel writes.
    fn used<'a>(self, needs: impl IntoIterator<Item = Need<'a>>) -> Vec<Need<'a>> {
        let unused = match self {
            Self::ClipsAndBlends => None,
            Self::ClipsOnly => Some("contents"),
            Self::BlendsOnly => Some("clips"),
        };
        needs.into_iter().filter(|need| Some(need.name) != unused).collect()
    }
}

descriptor! {
    /// How to build a [`Stage`] or a [`NodeStage`].
    StageDescriptor: "treebounds"
    /// Which passes it runs.
    passes: Passes,
}

/// The stage, built for a device: the bounds of every element of a scene, from its tags and rects.
///
/// **Filters** ([`SPREAD`](treebounds_core::Tag::SPREAD), [`FILLS`](treebounds_core::Tag::FILLS)) need a
/// scratch of [`Stage::scratch_with_filters`], for up to 16 filters around an element, and
/// [`Inputs::write_for`]. With at most one filter around each element, the stage still runs once, with
/// values of 48 bytes instead of 16. With d > 1, it runs 2 d + 1 times, each time on the elements with
/// the same number of filters around them. If a GPU kernel writes a stream with more filters around an
/// element, [`Counts::status`](crate::Counts) has the flag `FILTERS_TOO_DEEP`, and boxes are too large
/// rather than too small. Any other scratch ignores these bits in buffers that the
/// caller fills, and boxes are then wrong.
///
/// Building it compiles 17 kernels (14 for [`Passes::ClipsOnly`]) on as many threads as there are
/// processors. A driver may take a tenth of a second for a kernel that it sees for the first time.
/// Everything else is cheap.
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
/// If a scene has more than 2<sup>18</sup> elements and its [`Capacity`] has at most one marker per
/// eight elements, the stage compacts the markers first. That takes two more dispatches (three beyond
/// 2<sup>24</sup> elements; one less for clips alone), and the table then counts markers plus one
/// thirty-second of the elements. It needs a third to four fifths of the time and a fifth of the
/// memory or less. Its kernels are compiled when the first such scratch is made.
#[derive(Clone, Debug)]
pub struct Stage {
    tree: Tree,
    passes: Passes,
    few: LazyFewMarkers,
    filters: LazyFilters,
}

/// The kernels for scenes of few markers, which are compiled when there is one.
#[derive(Clone, Debug)]
struct LazyFewMarkers {
    /// None where the device can run none of them.
    strategies: Option<Strategies>,
    made: Arc<OnceLock<Option<FewMarkers>>>,
}

impl LazyFewMarkers {
    fn new(build: &Build, task: Task) -> Self {
        Self { strategies: FewMarkers::strategies(build, task).ok(), made: Arc::default() }
    }

    /// None where the device refuses one of them: the kernels for any scene will do.
    fn get(&self, build: &Build) -> Option<&FewMarkers> {
        let made = || FewMarkers::new(build, self.strategies.clone()?).ok();
        self.made.get_or_init(made).as_ref()
    }

    /// The strategies that are compiled, or that would be.
    fn strategies(&self) -> Option<&Strategies> {
        match self.made.get() {
            Some(made) => made.as_ref().map(|few| &few.tree.strategies),
            None => self.strategies.as_ref(),
        }
    }
}

impl Stage {
    /// Builds the stage for a device.
    ///
    /// # Errors
    /// [`Error::DeviceLacks`], [`Error::NoSubgroups`] and [`Error::SubgroupsOnDirect3D`] where the
    /// device has too little for the descriptor, [`Error::Variant`] where there are no such kernels,
    /// [`Error::Kernel`] where the device refuses one.
    pub fn new(device: &wgpu::Device, descriptor: &StageDescriptor<'_>) -> Result<Self, Error> {
        Self::build(device, descriptor, None)
    }

    /// A stage for this stream, and for others of the same size.
    fn only_for(stream: &treebounds_core::Stream, device: &wgpu::Device) -> Result<Self, Error> {
        Self::build(device, &StageDescriptor::default(), Some(stream))
    }

    fn build(
        device: &wgpu::Device,
        descriptor: &StageDescriptor<'_>,
        only_for: Option<&treebounds_core::Stream>,
    ) -> Result<Self, Error> {
        let (build, passes) = (descriptor.build(device), descriptor.passes);
        let task = passes.task(Stream::Scene);
        let strategies = Strategies::new(&build, task, 16)?;
        let capacity = only_for.map(Capacity::of);
        let tree = match only_for.is_some_and(treebounds_core::Stream::has_filters) {
            true => strategies.uncompiled(&build),
            false => strategies.compile(&build.compiler(), capacity.map(|only| only.elements))?,
        };
        let filters = LazyFilters::new(passes, false, capacity);
        Ok(Self { tree, passes, few: LazyFewMarkers::new(&build, task), filters })
    }

    /// Whether a scene has few markers among many elements.
    fn has_few_markers(&self, capacity: Capacity) -> bool {
        let Capacity { elements, markers } = capacity;
        let threads = self.tree.strategies.variant(elements).workgroup_size();
        markers <= elements / FEW
            && elements <= MOST_FEW
            && elements > FEW_TILES * threads * threads
    }

    /// The kernels for few markers, if a scene has few.
    fn few_markers(&self, capacity: Capacity) -> Option<&FewMarkers> {
        if self.has_few_markers(capacity) { self.few.get(&self.tree.build) } else { None }
    }

    /// The variant for this many elements, unless few of them are markers.
    pub fn variant(&self, elements: u32) -> Variant {
        self.tree.strategies.variant(elements)
    }

    /// The device it was built for.
    pub fn device(&self) -> &wgpu::Device {
        &self.tree.build.device
    }

    /// Bytes of a scratch of this capacity: 33 to 41 per element, with one pass alone 17 to 29; where
    /// markers are few, a fifth of that or less. Compiles nothing; where a driver refuses a kernel that
    /// the stage can do without, a scratch may then need more bytes, and [`Error::BufferTooSmall`] says
    /// how many.
    ///
    /// # Errors
    /// [`Error::TooMany`] where 32-bit indices do not suffice.
    pub fn scratch_bytes(&self, capacity: Capacity) -> Result<u64, Error> {
        let few = if self.has_few_markers(capacity) { self.few.strategies() } else { None };
        match few {
            Some(few) => Ok(few.entry_layouts(capacity)?[0].bytes(&self.tree.build)),
            None => self.tree.scratch_bytes(capacity),
        }
    }

    fn place_scratch(
        &self,
        capacity: Capacity,
        memory: Option<BufferBinding<'_>>,
    ) -> Result<Scratch, Error> {
        match self.few_markers(capacity) {
            Some(few) => {
                let layouts = few.tree.strategies.entry_layouts(capacity)?;
                Scratch::of_entries(&self.tree.build, layouts, memory)
            }
            None => self.tree.scratch(capacity, memory),
        }
    }

    fn filters_scratch_bytes(&self, capacity: Capacity, depth: u32) -> Result<u64, Error> {
        self.filters.scratch_bytes(&self.tree.build, capacity, depth)
    }

    fn place_filters(
        &self,
        capacity: Capacity,
        depth: u32,
        memory: Option<BufferBinding<'_>>,
    ) -> Result<Scratch, Error> {
        self.filters.scratch(&self.tree.build, capacity, depth, memory)
    }

    /// Binds ranges that are large enough for the scratch's capacity. The job can be recorded in any
    /// number of frames, and the count in `params` may change from frame to frame.
    ///
    /// # Errors
    /// [`Error::BufferTooSmall`], [`Error::OutsideBuffer`], [`Error::Unaligned`],
    /// [`Error::BufferUsage`], [`Error::Overlap`], [`Error::MixedAccess`], [`Error::TooLarge`] for a
    /// range that does not fit; [`Error::ForeignScratch`]; [`Error::Device`] where a buffer was
    /// destroyed or belongs to another device (a browser reports that when the job is submitted).
    ///
    /// All objects must come from one [`wgpu::Instance`], because wgpu cannot tell objects of two
    /// instances apart. If a buffer is destroyed later, the submission fails and nothing of it runs. If
    /// the device is lost, `bind` may succeed; the work never runs, and the next readback fails.
    pub fn bind<'a>(
        &self,
        inputs: impl Into<InputBindings<'a>>,
        outputs: impl Into<OutputBindings<'a>>,
        scratch: &Scratch,
    ) -> Result<Job, Error> {
        let needs = self.needs(&inputs.into(), &outputs.into(), scratch.capacity());
        let ranges = check(self.device(), needs, &scratch.parts)?;
        if scratch.filter_depth().is_some() {
            return self.filters.bind(scratch, &ranges);
        }
        match self.few_markers(scratch.capacity()) {
            Some(few) => few.bind(scratch, &ranges),
            None => self.tree.bind(scratch, &ranges, None),
        }
    }

    /// [`Stage::bind`] and [`Binner::bind`] as one job. Both scratches are for the same number of
    /// elements.
    ///
    /// # Errors
    /// As both; [`Error::CapacitiesDiffer`].
    pub fn bind_bins<'a>(
        &self,
        inputs: impl Into<InputBindings<'a>>,
        outputs: impl Into<OutputBindings<'a>>,
        scratch: &Scratch,
        binner: &Binner,
        bins: impl Into<BinBindings<'a>>,
        bin_scratch: &BinScratch,
    ) -> Result<Job, Error> {
        let (stage, own) = (scratch.capacity().elements, bin_scratch.capacity().elements);
        if stage != own {
            return Err(Error::CapacitiesDiffer { stage, bins: own });
        }
        let (inputs, outputs, bins) = (inputs.into(), outputs.into(), bins.into());
        let needs = self.needs(&inputs, &outputs, scratch.capacity());
        let bin_needs = bins.needs(&bin_scratch.grid(), bin_scratch.capacity().entries);
        let both = [&scratch.parts[..], &bin_scratch.parts].concat();
        check(self.device(), needs.into_iter().chain(bin_needs), &both)?;
        let (params, boxes) = (inputs.params.clone(), outputs.boxes.clone());
        let stage = self.bind(inputs, outputs, scratch)?;
        Ok(stage.then(binner.bind(params, boxes, bins, bin_scratch)?))
    }

    /// The requirements on the caller's ranges.
    fn needs<'a>(
        &self,
        inputs: &InputBindings<'a>,
        outputs: &OutputBindings<'a>,
        capacity: Capacity,
    ) -> Vec<Need<'a>> {
        self.passes.used([inputs.needs(capacity), outputs.needs(capacity)].concat())
    }
}

scratch_methods!(Stage -> Scratch, capacity: Capacity);
filter_scratch_methods!(Stage, capacity: Capacity);
