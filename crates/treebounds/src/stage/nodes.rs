//! The stage for streams of markers only.

use crate::gpu::buffers::{Need, bytes, check, create, scratch_methods};
use crate::stage::filters::Filters;
use crate::stage::tree::Tree;
use crate::{Capacity, Error, InputBindings, Job, Passes, Scratch, StageDescriptor};
use treebounds_shaders::{Stream, Variant};
use wgpu::{BufferBinding, BufferUsages};

/// The stage for streams of markers only, for example [compacted](crate::Compactor) markers. Outputs are
/// indexed by element.
///
/// Compared with [`Stage`](crate::Stage), it omits the marker indices and the third box per element. It
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
/// The stream may also contain draws. The link of a draw is its parent, and its clip box and content box
/// are both the visible part of its rect, or the unclipped rect with [`Passes::BlendsOnly`].
///
/// Filters: as for [`Stage`](crate::Stage), but without a status. Elements with more filters around them
/// than the scratch allows have no link, and unlimited boxes.
///
/// Dispatches: as for [`Stage`](crate::Stage), but one less for clips only if there is more than one tile.
#[derive(Clone, Debug)]
pub struct NodeStage {
    tree: Tree,
    passes: Passes,
    frame_sizes: bool,
    filters: Option<Filters>,
}

/// The ranges that [`NodeStage`] writes, for n elements.
///
/// | range | contents | bytes | usage |
/// |---|---|---|---|
/// | `links` | per element, the index of its begin (for an End) or of its parent | 4 n | `STORAGE` |
/// | `clips` | per element, its clip box | 16 n | `STORAGE` |
/// | `contents` | per element, its content box | 16 n | `STORAGE` |
///
/// [`Bounds`](treebounds_core::Bounds) defines their contents. Values beyond the count of a frame are not
/// overwritten.
#[derive(Clone, Debug)]
pub struct NodeOutputBindings<'a> {
    /// For each element, its link.
    pub links: BufferBinding<'a>,
    /// For each element, its clip box. Not used by [`Passes::BlendsOnly`].
    pub clips: Option<BufferBinding<'a>>,
    /// For each element, its content box. Not used by [`Passes::ClipsOnly`].
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
    /// Creates buffers for `elements` elements, with the usage `COPY_SRC`.
    ///
    /// # Errors
    /// [`Error::TooLarge`], or [`Error::Device`] if memory runs out.
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
    /// Builds the stage for a device.
    ///
    /// # Errors
    /// Same as [`Stage::new`](crate::Stage::new).
    pub fn new(device: &wgpu::Device, descriptor: &StageDescriptor<'_>) -> Result<Self, Error> {
        let (build, passes) = (descriptor.build(device), descriptor.passes);
        let tree = Tree::new(&build.compiler(), passes.task(Stream::InPlace), 16)?;
        let filters = Filters::new(&build, descriptor, Stream::InPlace)?;
        Ok(Self { tree, passes, frame_sizes: descriptor.frame_sizes, filters })
    }

    fn filters(&self, depth: u32) -> Result<&Filters, Error> {
        self.filters.as_ref().ok_or(Error::FilterDepth { needed: depth, limit: 0 })
    }

    /// The size in bytes of a scratch: 25 to 29 per element, 9 to 25 with only one pass, 61 to 77 with at
    /// most one filter around an element, and more with nested filters, as for
    /// [`Stage`](crate::Stage::scratch_bytes). Every element may be a marker: `capacity.markers` is ignored.
    ///
    /// # Errors
    /// Same as [`Stage::scratch_bytes`](crate::Stage::scratch_bytes).
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

    /// The variant for `elements` elements.
    pub fn variant(&self, elements: u32) -> Variant {
        self.tree.strategies.variant(elements)
    }

    /// Binds ranges that are large enough for the scratch. The job can be recorded in any number of
    /// frames. The count in `params` may change from frame to frame, and is clamped to the capacity.
    ///
    /// # Errors
    /// Same as [`Stage::bind`](crate::Stage::bind).
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
