//! The stage for a stream of markers alone.

use crate::gpu::buffers::{Need, bytes, check, create, scratch_methods};
use crate::stage::filters::Filters;
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
///     let capacity = Capacity::all_markers(elements);
///     let inputs = Inputs::new(device, capacity)?;
///     let outputs = NodeOutputs::new(device, elements)?;
///     let job = stage.bind(&inputs, &outputs, &stage.scratch(capacity)?)?;
///     Ok((job, inputs, outputs)) // record the job in every frame
/// }
/// ```
///
/// The stream may have draws too. The link of a draw is its parent, and both its clip box and its
/// content box are the visible part of its rect; with [`Passes::BlendsOnly`] its rect as it is.
///
/// Filters: as with [`Stage`](crate::Stage), but there is no status. Elements with more filters around
/// them than the scratch was made for have no link, and unlimited boxes.
///
/// Dispatches: as [`Stage`](crate::Stage), but one less for clips alone of more than one tile.
#[derive(Clone, Debug)]
pub struct NodeStage {
    tree: Tree,
    passes: Passes,
    frame_sizes: bool,
    filters: Option<Filters>,
}

/// The ranges that [`NodeStage`] writes, for n elements.
///
/// | range | content | bytes | usage |
/// |---|---|---|---|
/// | `links` | per element, the index of its begin (for an End) or of its parent | 4 n | `STORAGE` |
/// | `clips` | per element, its clip box | 16 n | `STORAGE` |
/// | `contents` | per element, its content box | 16 n | `STORAGE` |
///
/// [`Bounds`](treebounds_core::Bounds) defines them. Beyond the count of a frame the ranges keep their
/// old content.
#[derive(Clone, Debug)]
pub struct NodeOutputBindings<'a> {
    /// For each element, its link.
    pub links: BufferBinding<'a>,
    /// For each element, its clip box. [`Passes::BlendsOnly`] does not use it.
    pub clips: Option<BufferBinding<'a>>,
    /// For each element, its content box. [`Passes::ClipsOnly`] does not use it.
    pub contents: Option<BufferBinding<'a>>,
}

/// One buffer for each range of [`NodeOutputBindings`], for callers without an arena.
#[derive(Clone, Debug)]
pub struct NodeOutputs {
    /// For each element, its link.
    pub links: wgpu::Buffer,
    /// For each element, its clip box.
    pub clips: wgpu::Buffer,
    /// For each element, its content box.
    pub contents: wgpu::Buffer,
}

impl<'a> From<&'a NodeOutputs> for NodeOutputBindings<'a> {
    fn from(outputs: &'a NodeOutputs) -> Self {
        Self {
            links: outputs.links.as_entire_buffer_binding(),
            clips: Some(outputs.clips.as_entire_buffer_binding()),
            contents: Some(outputs.contents.as_entire_buffer_binding()),
        }
    }
}

impl NodeOutputs {
    /// New buffers for this many elements, which can also be copied from.
    ///
    /// # Errors
    /// [`Error::TooLarge`], or [`Error::Device`] where memory runs out.
    pub fn new(device: &wgpu::Device, elements: u32) -> Result<Self, Error> {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let new = |name, each| create(device, "treebounds", name, bytes(each, elements), usage);
        Ok(Self {
            links: new("links", 4)?,
            clips: new("clips", 16)?,
            contents: new("contents", 16)?,
        })
    }
}

impl NodeStage {
    /// Builds it for a device.
    ///
    /// # Errors
    /// As [`Stage::new`](crate::Stage::new).
    pub fn new(device: &wgpu::Device, descriptor: &StageDescriptor<'_>) -> Result<Self, Error> {
        let (build, passes) = (descriptor.build(device), descriptor.passes);
        let tree = Tree::new(&build.compiler(), passes.task(Stream::InPlace), 16)?;
        let filters = Filters::new(&build, descriptor, Stream::InPlace)?;
        Ok(Self { tree, passes, frame_sizes: descriptor.frame_sizes, filters })
    }

    /// The kernels for filters.
    fn filters(&self, depth: u32) -> Result<&Filters, Error> {
        self.filters.as_ref().ok_or(Error::FilterDepth { needed: depth, limit: 0 })
    }

    /// Bytes of a scratch for `capacity.elements`: 25 to 29 each, with one pass alone 9 to 25; with at
    /// most one filter around an element, 61 to 77, and with more as for
    /// [`Stage`](crate::Stage::scratch_bytes). Any element may be a marker: `capacity.markers` is not read.
    ///
    /// # Errors
    /// As [`Stage::scratch_bytes`](crate::Stage::scratch_bytes).
    pub fn scratch_bytes(&self, capacity: Capacity) -> Result<u64, Error> {
        let capacity = Capacity { markers: capacity.elements, ..capacity };
        match capacity.filter_depth {
            0 => self.tree.scratch_bytes(capacity),
            depth => self.filters(depth)?.scratch_bytes(&self.tree.build, capacity),
        }
    }

    fn place_scratch(
        &self,
        capacity: Capacity,
        memory: Option<BufferBinding<'_>>,
    ) -> Result<Scratch<Self>, Error> {
        let capacity = Capacity { markers: capacity.elements, ..capacity };
        let tree = match capacity.filter_depth {
            0 => self.tree.scratch(capacity, memory),
            depth => self.filters(depth)?.scratch(&self.tree.build, capacity, memory),
        };
        tree.map(Scratch::new)
    }

    /// The variant for this many elements.
    pub fn variant(&self, elements: u32) -> Variant {
        self.tree.strategies.variant(elements)
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
        scratch: &Scratch<Self>,
    ) -> Result<Job, Error> {
        let capacity = scratch.capacity();
        let (inputs, outputs) = (inputs.into(), outputs.into());
        inputs.check_depth(capacity.filter_depth)?;
        let n = capacity.elements;
        let mut needs = inputs.needs(capacity).to_vec();
        needs.push(Need::storage("links", &outputs.links, bytes(4, n)));
        needs.extend(self.passes.boxes_of_nodes(&outputs.clips, &outputs.contents, n)?);
        let scratch = &scratch.tree;
        let ranges = check(&self.tree.build.device, needs, &scratch.parts)?;
        match capacity.filter_depth {
            0 => self.tree.bind_sizes(scratch, &ranges, self.frame_sizes),
            _ => self.filters.as_ref().ok_or(Error::ForeignScratch)?.bind(
                scratch,
                &ranges,
                self.frame_sizes,
            ),
        }
    }
}

scratch_methods!(NodeStage -> Scratch<Self>, capacity: Capacity);
