//! The whole stage: from an element stream to a box for every element.

use crate::buffers::{Need, bound, check};
use crate::compiler::Compiler;
use crate::sparse::Sparse;
use crate::tree::Tree;
use crate::{Bin, BinScratch, Bins, Capacity, Error, Inputs, Job, Options, Outputs, Scratch};
use std::sync::{Arc, OnceLock};
use treebounds_shaders::{RectFormat, Task, Variant};

/// Elements for each node of a scene of few nodes, or more.
const SPARSE: u32 = 8;

/// Most elements of such a scene: an entry numbers them with 30 bits, and the last mark's is 31 further at most.
const MOST_SPARSE: u32 = (1 << 30) - 32;

/// Which of its two passes a stage runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Passes {
    /// Clips flow down, blends grow up.
    #[default]
    ClipsAndBlends,
    /// Clips flow down. The bounds of a node are its clip; `contents` is not written.
    ClipsOnly,
    /// Blends grow up over the boxes of draws as they are; a non-local blend contributes
    /// the viewport. `clips` is not written.
    BlendsOnly,
}

/// The stage, built for a device. Building compiles some twenty kernels, but for one sort of scene, as many at
/// a time as there are processors: a driver may take a tenth of a second for each that it sees for the first
/// time. Everything else is cheap.
///
/// Cost of a job: one dispatch for a capacity of up to 1,024 elements, or 512 or 256 where the device
/// has fewer threads a workgroup, or less memory (2 dispatches where a kernel cannot have 10 storage
/// buffers); 2 up to 8,192, or 4,096; 3 up to 512<sup>2</sup>, or 256<sup>2</sup>; 4 up to 2<sup>20</sup>, 7 up to
/// 2<sup>22</sup>, 8 up to 2<sup>24</sup> and 10 up to 2<sup>30</sup>, of which clips alone need 3, then 5 and 7.
/// Memory traffic of about 100 bytes a node and 60 a draw.
///
/// Past the 3, and up to 2<sup>30</sup> elements, where a [`Capacity`] has room for one node of eight at most,
/// the nodes are compacted first: 5 dispatches (4 for clips alone) below 512<sup>2</sup> nodes and marks, of which there is one
/// for each 32 elements, or 256<sup>2</sup>; then 6 (5) up to 2<sup>20</sup> of these, then 9 (7) or more, one more past
/// 2<sup>24</sup> elements; a third to four fifths of the time, and a sixth of the memory or less. The kernels for that are compiled when such a
/// capacity is first seen, by [`Stage::scratch`], say.
#[derive(Clone, Debug)]
pub struct Stage {
    tree: Tree,
    passes: Passes,
    sparse: Lazy,
}

/// The kernels for scenes of few nodes, which are compiled when there is one.
#[derive(Clone, Debug)]
struct Lazy {
    task: Task,
    formats: [RectFormat; 2],
    options: Options,
    made: Arc<OnceLock<Option<Sparse>>>,
}

impl Lazy {
    fn new(task: Task, formats: [RectFormat; 2], options: &Options) -> Self {
        Self { task, formats, options: *options, made: Arc::default() }
    }

    /// None where the device refuses one of them: those for any scene do as well.
    fn get(&self, device: &wgpu::Device) -> Option<&Sparse> {
        let made = || Sparse::new(device, self.task, self.formats, &self.options).ok();
        self.made.get_or_init(made).as_ref()
    }
}

impl Stage {
    /// Builds the stage for a device.
    ///
    /// # Errors
    /// [`Error::DeviceLacks`] and [`Error::NoSubgroups`] where the device was
    /// created with too little, [`Error::Variant`] where the options make no
    /// variant, [`Error::Kernel`] where the device refuses a kernel.
    pub fn new(device: &wgpu::Device, options: &Options) -> Result<Self, Error> {
        Self::with_passes(device, Passes::default(), options)
    }

    /// Builds a stage that runs these passes and no more. It still finds links and node
    /// indices.
    ///
    /// # Errors
    /// As [`Stage::new`].
    pub fn with_passes(
        device: &wgpu::Device,
        passes: Passes,
        options: &Options,
    ) -> Result<Self, Error> {
        Self::with_formats(device, passes, RectFormat::F32, RectFormat::F32, options)
    }

    /// Builds a stage that reads rects in one format and writes clips, contents and bounds
    /// in another, at the cost of the bytes that they take.
    ///
    /// # Errors
    /// As [`Stage::new`]; [`Error::Variant`] for boxes as Vello's of paths.
    pub fn with_formats(
        device: &wgpu::Device,
        passes: Passes,
        rects: RectFormat,
        boxes: RectFormat,
        options: &Options,
    ) -> Result<Self, Error> {
        let (task, of_few) = match passes {
            Passes::ClipsAndBlends => (Task::Scene, Task::Nodes),
            Passes::ClipsOnly => (Task::Clips, Task::NodeClips),
            Passes::BlendsOnly => (Task::Blends, Task::NodeBlends),
        };
        let formats = [rects, boxes];
        let compiler = Compiler::new(device, options.checked);
        let tree = Tree::new(&compiler, task, 16, formats, options)?;
        Ok(Self { tree, passes, sparse: Lazy::new(of_few, formats, options) })
    }

    /// A stage for scenes of so many elements and no other number: what [`Stage::new`] would run for them.
    pub(crate) fn only_for(
        elements: u32,
        device: &wgpu::Device,
        options: &Options,
    ) -> Result<Self, Error> {
        let formats = [RectFormat::F32; 2];
        let compiler = Compiler::new(device, options.checked);
        let tree = Tree::only_for(elements, &compiler, Task::Scene, 16, formats, options)?;
        Ok(Self {
            tree,
            passes: Passes::default(),
            sparse: Lazy::new(Task::Nodes, formats, options),
        })
    }

    /// The kernels for a scene of so few nodes, if it is one.
    fn sparse(&self, capacity: Capacity) -> Option<&Sparse> {
        let is_sparse =
            capacity.nodes <= capacity.elements / SPARSE && capacity.elements <= MOST_SPARSE;
        let wanted = is_sparse && self.tree.is_far(capacity.elements);
        if wanted { self.sparse.get(&self.tree.device) } else { None }
    }

    /// The variant that serves this many elements, unless few of them are nodes.
    pub fn variant(&self, elements: u32) -> Variant {
        self.tree.variant(elements)
    }

    /// The device it was built for.
    pub fn device(&self) -> &wgpu::Device {
        &self.tree.device
    }

    /// How many bytes of GPU memory a scratch of this capacity will hold: 33 to 37 an
    /// element, of one pass alone 17 to 25; where nodes are few, 28 to 33 a node (of one pass 12 to 28) and
    /// one and a half an element.
    /// A few hundred bytes of uniforms a dispatch come on top.
    ///
    /// # Errors
    /// [`Error::TooMany`] where 32-bit indices do not reach.
    pub fn scratch_bytes(&self, capacity: Capacity) -> Result<u64, Error> {
        match self.sparse(capacity) {
            Some(sparse) => sparse.scratch_bytes(capacity),
            None => self.tree.scratch_bytes(capacity),
        }
    }

    /// Working memory for this capacity.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::TooMany`], or [`Error::Device`] where memory runs out.
    pub fn scratch(&self, capacity: Capacity) -> Result<Scratch, Error> {
        match self.sparse(capacity) {
            Some(sparse) => sparse.scratch(capacity),
            None => self.tree.scratch(capacity),
        }
    }

    /// Binds buffers that are large enough for the scratch's capacity. The job
    /// can be recorded for any number of frames; the counts in `params` may
    /// change from frame to frame.
    ///
    /// # Errors
    /// [`Error::BufferTooSmall`], [`Error::BufferUsage`], [`Error::BoundTwice`],
    /// [`Error::TooLarge`], [`Error::ForeignScratch`].
    pub fn bind(
        &self,
        inputs: &Inputs,
        outputs: &Outputs,
        scratch: &Scratch,
    ) -> Result<Job, Error> {
        let capacity = scratch.capacity();
        let needs: Vec<_> = self.needs(inputs, outputs, capacity).collect();
        check(&self.tree.device, &needs)?;
        let buffers = |binding| bound(&needs, binding);
        match self.sparse(capacity) {
            Some(sparse) => sparse.bind(scratch, &buffers),
            None => self.tree.bind(scratch, &buffers, None),
        }
    }

    /// [`bind`](Stage::bind) and [`Bin::bind`] as one job. Both scratches are for the
    /// same number of elements.
    ///
    /// # Errors
    /// As both; [`Error::CapacitiesDiffer`]; [`Error::Format`] where the stage's boxes are not four `f32`.
    pub fn bind_bins(
        &self,
        inputs: &Inputs,
        outputs: &Outputs,
        scratch: &Scratch,
        bin: &Bin,
        bins: &Bins,
        bin_scratch: &BinScratch,
    ) -> Result<Job, Error> {
        if self.variant(0).boxes() != RectFormat::F32 {
            return Err(Error::Format);
        }
        let (stage, own) = (scratch.capacity().elements, bin_scratch.capacity().elements);
        if stage != own {
            return Err(Error::CapacitiesDiffer { stage, bins: own });
        }
        let capacity = scratch.capacity();
        let needs = self.needs(inputs, outputs, capacity);
        let needs = needs.chain(bins.needs(&bin_scratch.grid(), bin_scratch.capacity().entries));
        check(&self.tree.device, &needs.collect::<Vec<_>>())?;
        let stage = self.bind(inputs, outputs, scratch)?;
        Ok(stage.then(bin.bind(&inputs.params, &outputs.bounds, bins, bin_scratch)?))
    }

    /// What the caller's buffers must be.
    fn needs<'a>(
        &self,
        inputs: &'a Inputs,
        outputs: &'a Outputs,
        capacity: Capacity,
    ) -> impl Iterator<Item = Need<'a>> {
        let variant = self.variant(capacity.elements);
        let unused = match self.passes {
            Passes::ClipsAndBlends => None,
            Passes::ClipsOnly => Some("contents"),
            Passes::BlendsOnly => Some("clips"),
        };
        let inputs = inputs.needs(capacity, variant.rects());
        let outputs = outputs.needs(capacity, variant.boxes());
        inputs.into_iter().chain(outputs).filter(move |need| Some(need.0) != unused)
    }
}
