//! The whole stage: from an element stream to a box for every element.

use crate::buffers::{Need, bound, check};
use crate::compiler::Compiler;
use crate::sparse::Sparse;
use crate::tree::Tree;
use crate::{
    BinScratch, Binner, Bins, Capacity, Error, Inputs, Job, Options, Outputs, Passes, Scratch,
};
use std::sync::{Arc, OnceLock};
use treebounds_shaders::{Stream, Task, Variant};

/// Elements for each node of a scene of few nodes, or more.
const SPARSE: u32 = 8;

/// Tiles of such a scene, by the threads of a workgroup: for fewer a dispatch more takes longer than what it saves.
const SPARSE_TILES: u32 = 4;

/// Most elements of such a scene: an entry numbers them with 30 bits, and the last mark's is 31 further at most.
const MOST_SPARSE: u32 = (1 << 30) - 32;

/// The stage, built for a device: boxes of every element of a scene, from its tags and rects.
///
/// Building compiles 17 kernels (14 for [`Passes::ClipsOnly`]), as many at a time as there are processors. A driver may take
/// a tenth of a second for a kernel that it sees for the first time. Everything else is cheap.
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
/// Memory traffic is about 100 bytes per node and 60 per draw.
///
/// Where a scene has more than 2<sup>18</sup> elements and its [`Capacity`] counts at most one node for each eight
/// elements, the nodes are compacted first, in two more dispatches (three past 2<sup>24</sup> elements; one less of clips
/// alone); the table then counts nodes and elements / 32. That takes a third to four fifths of the time, and a fifth of the
/// memory or less. The kernels for that are compiled when such a capacity is first seen, by [`Stage::scratch`] for example.
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
    options: Options,
    made: Arc<OnceLock<Option<Sparse>>>,
}

impl Lazy {
    fn new(task: Task, options: &Options) -> Self {
        Self { task, options: *options, made: Arc::default() }
    }

    /// None where the device refuses one of them: those for any scene do as well.
    fn get(&self, device: &wgpu::Device) -> Option<&Sparse> {
        let made = || Sparse::new(device, self.task, &self.options).ok();
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
        let task = options.passes.task(Stream::Scene);
        let compiler = Compiler::new(device, options.checked);
        let tree = Tree::new(&compiler, task, 16, options)?;
        Ok(Self { tree, passes: options.passes, sparse: Lazy::new(task, options) })
    }

    /// A stage for scenes of so many elements and no other number: what [`Stage::new`] would run for them.
    pub(crate) fn only_for(
        elements: u32,
        device: &wgpu::Device,
        options: &Options,
    ) -> Result<Self, Error> {
        let task = options.passes.task(Stream::Scene);
        let compiler = Compiler::new(device, options.checked);
        let tree = Tree::only_for(elements, &compiler, task, 16, options)?;
        Ok(Self { tree, passes: options.passes, sparse: Lazy::new(task, options) })
    }

    /// The kernels for a scene of so few nodes, if it is one.
    fn sparse(&self, capacity: Capacity) -> Option<&Sparse> {
        let is_sparse =
            capacity.markers <= capacity.elements / SPARSE && capacity.elements <= MOST_SPARSE;
        let threads = self.tree.variant(capacity.elements).workgroup_size();
        let wanted = is_sparse && capacity.elements > SPARSE_TILES * threads * threads;
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

    /// Bytes of GPU memory that a scratch of this capacity holds: 33 to 41 per element; of one pass alone 17 to 29.
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
    /// [`Error::TooLarge`], [`Error::ForeignScratch`]; [`Error::Device`] where a buffer was destroyed or is another
    /// device's. (A browser says so only when the job is submitted.) All objects must come of one [`wgpu::Instance`]: wgpu
    /// does not tell those of another apart. A buffer that is destroyed later is an error of the submission, of which
    /// nothing runs. On a lost device binding may succeed, nothing runs, and who reads is told.
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

    /// [`bind`](Stage::bind) and [`Binner::bind`] as one job. Both scratches are for the
    /// same number of elements.
    ///
    /// # Errors
    /// As both; [`Error::CapacitiesDiffer`].
    pub fn bind_bins(
        &self,
        inputs: &Inputs,
        outputs: &Outputs,
        scratch: &Scratch,
        bin: &Binner,
        bins: &Bins,
        bin_scratch: &BinScratch,
    ) -> Result<Job, Error> {
        let (stage, own) = (scratch.capacity().elements, bin_scratch.capacity().elements);
        if stage != own {
            return Err(Error::CapacitiesDiffer { stage, bins: own });
        }
        let capacity = scratch.capacity();
        let needs = self.needs(inputs, outputs, capacity);
        let needs = needs.chain(bins.needs(&bin_scratch.grid(), bin_scratch.capacity().entries));
        check(&self.tree.device, &needs.collect::<Vec<_>>())?;
        let stage = self.bind(inputs, outputs, scratch)?;
        Ok(stage.then(bin.bind(&inputs.params, &outputs.boxes, bins, bin_scratch)?))
    }

    /// What the caller's buffers must be.
    fn needs<'a>(
        &self,
        inputs: &'a Inputs,
        outputs: &'a Outputs,
        capacity: Capacity,
    ) -> impl Iterator<Item = Need<'a>> {
        let unused = match self.passes {
            Passes::ClipsAndBlends => None,
            Passes::ClipsOnly => Some("contents"),
            Passes::BlendsOnly => Some("clips"),
        };
        let inputs = inputs.needs(capacity);
        let outputs = outputs.needs(capacity);
        inputs.into_iter().chain(outputs).filter(move |need| Some(need.0) != unused)
    }
}
