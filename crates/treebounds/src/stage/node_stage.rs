//! Links, clip boxes and content boxes, each at its element's own place.

use crate::gpu::buffers::{Need, bytes, check, create};
use crate::stage::need;
use crate::stage::tree::Tree;
use crate::{Capacity, Error, InputBindings, Job, Passes, Scratch, StageDescriptor};
use treebounds_shaders::{Stream, Variant};
use wgpu::{BufferBinding, BufferUsages};

/// The stage for a stream that has markers alone, or whose markers were
/// [compacted](crate::Compactor). It writes each answer at its element's own place.
///
/// It computes what [`Stage`](crate::Stage) does, and leaves out what a stream of markers has no use
/// for: which elements are markers, and a third box per element. It
/// writes 36 bytes per marker instead of 60, and takes a tenth to a fifth less time.
///
/// ```
/// use treebounds::{Capacity, Inputs, Job, NodeOutputs, NodeStage, StageDescriptor, wgpu};
///
/// fn bind(device: &wgpu::Device, elements: u32) -> Result<(Job, Inputs, NodeOutputs), treebounds::Error> {
///     let stage = NodeStage::new(device, &StageDescriptor::default())?; // once: compiles kernels
///     let inputs = Inputs::new(device, Capacity { elements, markers: elements })?;
///     let outputs = NodeOutputs::new(device, elements)?;
///     let job = stage.bind(&inputs, &outputs, &stage.scratch(elements)?)?;
///     Ok((job, inputs, outputs)) // record the job in every frame
/// }
/// ```
///
/// The stream may have draws too. The link of a draw is its parent, and both its clip box and its
/// content box are the visible part of its rect; with [`Passes::BlendsOnly`] its rect as it is.
///
/// Filters are not supported: in buffers that the caller fills, tags with the bits
/// [`SPREAD`](treebounds_core::Tag::SPREAD) or [`FILLS`](treebounds_core::Tag::FILLS) give wrong boxes.
///
/// Dispatches: as [`Stage`](crate::Stage), but one less for clips alone of more than one tile.
#[derive(Clone, Debug)]
pub struct NodeStage {
    tree: Tree,
    passes: Passes,
}

/// The ranges that [`NodeStage`] writes, for n elements.
///
/// | range | content | bytes | usage |
/// |---|---|---|---|
/// | `links` | per element, the index of its begin (for an End) or of its parent | 4 n | `STORAGE` |
/// | `clips` | per element, its clip box | 16 n | `STORAGE` |
/// | `contents` | per element, its content box | 16 n | `STORAGE` |
///
/// [`Bounds`](treebounds_core::Bounds) defines them. Beyond the count of a frame the ranges keep what
/// they held.
#[derive(Clone, Debug)]
pub struct NodeOutputBindings<'a> {
    /// For each element, its link.
    pub links: BufferBinding<'a>,
    /// For each element, its clip box. Not used with [`Passes::BlendsOnly`]: any range will do.
    pub clips: BufferBinding<'a>,
    /// For each element, its content box. Not used with [`Passes::ClipsOnly`]: any range will do.
    pub contents: BufferBinding<'a>,
}

/// One buffer for each of [`NodeOutputBindings`], for callers without an arena.
#[derive(Clone, Debug)]
pub struct NodeOutputs {
    /// For each element, its link.
    pub links: wgpu::Buffer,
    /// For each element, its clip box.
    pub clips: wgpu::Buffer,
    /// For each element, its content box.
    pub contents: wgpu::Buffer,
}

impl NodeOutputs {
    /// New buffers for this many elements, which can also be copied from.
    ///
    /// # Errors
    /// [`Error::TooLarge`], or [`Error::Device`] where memory runs out.
    pub fn new(device: &wgpu::Device, elements: u32) -> Result<Self, Error> {
        let storage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let new = |name, each| create(device, "treebounds", name, bytes(each, elements), storage);
        Ok(Self {
            links: new("links", 4)?,
            clips: new("clips", 16)?,
            contents: new("contents", 16)?,
        })
    }
}

impl<'a> From<&'a NodeOutputs> for NodeOutputBindings<'a> {
    fn from(outputs: &'a NodeOutputs) -> Self {
        Self {
            links: outputs.links.as_entire_buffer_binding(),
            clips: outputs.clips.as_entire_buffer_binding(),
            contents: outputs.contents.as_entire_buffer_binding(),
        }
    }
}

impl<'a> NodeOutputBindings<'a> {
    /// The requirements on the ranges that are written.
    fn needs(&self, elements: u32, passes: Passes) -> Vec<Need<'a>> {
        let storage = BufferUsages::STORAGE;
        let box_bytes = bytes(16, elements);
        let mut needs = vec![need("links", &self.links, bytes(4, elements), storage)];
        if passes != Passes::BlendsOnly {
            needs.push(need("clips", &self.clips, box_bytes, storage));
        }
        if passes != Passes::ClipsOnly {
            needs.push(need("contents", &self.contents, box_bytes, storage));
        }
        needs
    }
}

impl NodeStage {
    /// Builds it for a device.
    ///
    /// # Errors
    /// As [`Stage::new`](crate::Stage::new).
    pub fn new(device: &wgpu::Device, descriptor: &StageDescriptor<'_>) -> Result<Self, Error> {
        let (build, passes) = (descriptor.build(device), descriptor.passes);
        Ok(Self { tree: Tree::new(&build.compiler(), passes.task(Stream::InPlace), 16)?, passes })
    }

    /// The variant for this many elements.
    pub fn variant(&self, elements: u32) -> Variant {
        self.tree.strategies.variant(elements)
    }

    /// Bytes of a scratch for this many elements: 25 to 29 each, with one pass alone 9 to 25.
    ///
    /// # Errors
    /// [`Error::TooMany`] where 32-bit indices do not suffice.
    pub fn scratch_bytes(&self, elements: u32) -> Result<u64, Error> {
        self.tree.scratch_bytes(Capacity { elements, markers: elements })
    }

    /// Working memory for this many elements, in new buffers.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::TooMany`], or [`Error::Device`] where memory runs out.
    pub fn scratch(&self, elements: u32) -> Result<Scratch, Error> {
        self.tree.scratch(Capacity { elements, markers: elements }, None)
    }

    /// Working memory for this many elements in the caller's, of at least
    /// [`scratch_bytes`](Self::scratch_bytes) and with the usage `STORAGE`.
    ///
    /// # Errors
    /// As [`NodeStage::scratch`], and as [`Stage::bind`](crate::Stage::bind) for a range that does not
    /// fit.
    pub fn scratch_in(&self, elements: u32, memory: BufferBinding<'_>) -> Result<Scratch, Error> {
        self.tree.scratch(Capacity { elements, markers: elements }, Some(memory))
    }

    /// Binds ranges that are large enough for the scratch. The job can be recorded in any number of
    /// frames. The count in `params` may change from frame to frame, and is cut to the capacity.
    ///
    /// # Errors
    /// As [`Stage::bind`](crate::Stage::bind).
    pub fn bind<'a>(
        &self,
        inputs: impl Into<InputBindings<'a>>,
        outputs: impl Into<NodeOutputBindings<'a>>,
        scratch: &Scratch,
    ) -> Result<Job, Error> {
        let capacity = scratch.capacity();
        let outputs = outputs.into().needs(capacity.elements, self.passes);
        let needs = inputs.into().needs(capacity).into_iter().chain(outputs);
        let ranges = check(&self.tree.build.device, needs, &scratch.parts)?;
        self.tree.bind(scratch, &ranges, None)
    }
}
