//! Links, clips and contents of a stream, each at its element's own place.

use crate::buffers::{Need, bound, bytes, check, create};
use crate::compiler::Compiler;
use crate::tree::Tree;
use crate::{Capacity, Error, Inputs, Job, Options, Passes, Scratch};
use treebounds_shaders::{Stream, Variant};
use wgpu::BufferUsages;

/// Matching, clips and contents and no more, on a GPU ([`core::Bounds`](treebounds_core::Bounds) holds the answer on the
/// CPU): for a host whose stream is nodes alone, or that has
/// [compacted](crate::Compactor) them, and wants each answer at its element's own place.
///
/// It computes what [`Stage`](crate::Stage) does, and leaves out what a stream of nodes has no use for: which of its
/// elements are nodes, and a box per element besides its clip and content. That is 36 bytes written per node instead of
/// 60, in a tenth to a fifth less time.
///
/// ```
/// use treebounds::{NodeOutputs, NodeStage, Capacity, Inputs, Job, Options, wgpu};
///
/// fn bind(device: &wgpu::Device, elements: u32) -> Result<(Job, Inputs, NodeOutputs), treebounds::Error> {
///     let stage = NodeStage::new(device, &Options::default())?; // once: compiles kernels
///     let inputs = Inputs::new(device, Capacity { elements, markers: elements })?;
///     let outputs = NodeOutputs::new(device, elements)?;
///     let job = stage.bind(&inputs, &outputs, &stage.scratch(elements)?)?;
///     Ok((job, inputs, outputs)) // record the job, every frame
/// }
/// ```
///
/// A stream may have draws all the same. Then the link of a draw is the begin around it, and its clip is what is
/// visible of it, and so is its content; with [`Passes::BlendsOnly`] its rect as it is.
///
/// Dispatches: as [`Stage`](crate::Stage), but that of clips only one less from a second tile on.
#[derive(Clone, Debug)]
pub struct NodeStage {
    tree: Tree,
    passes: Passes,
}

/// What [`NodeStage`] writes, for n elements.
///
/// | buffer | holds | bytes | usage |
/// |---|---|---|---|
/// | `links` | element: index of its begin if it is an end, or of the begin around it | 4 n | `STORAGE` |
/// | `clips` | element: its clip | 16 n | `STORAGE` |
/// | `contents` | element: its content | 16 n | `STORAGE` |
///
/// [`core::Bounds`](treebounds_core::Bounds) says what they mean: here each begin and end has its place in the stream,
/// and what is no node has what is visible of it for both boxes (with blends alone, its rect). Past the count of a frame the buffers keep
/// what they had.
#[derive(Clone, Debug)]
pub struct NodeOutputs {
    /// For each element, its link.
    pub links: wgpu::Buffer,
    /// For each element, its clip. Unused, and so any buffer, with [`Passes::BlendsOnly`].
    pub clips: wgpu::Buffer,
    /// For each element, its content. Unused, and so any buffer, with [`Passes::ClipsOnly`].
    pub contents: wgpu::Buffer,
}

impl NodeOutputs {
    /// New buffers for this many elements, that can also be copied from.
    ///
    /// # Errors
    /// [`Error::TooLarge`], or [`Error::Device`] where memory runs out.
    pub fn new(device: &wgpu::Device, elements: u32) -> Result<Self, Error> {
        let storage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        Ok(Self {
            links: create(device, "treebounds links", bytes(4, elements), storage)?,
            clips: create(device, "treebounds clips", bytes(16, elements), storage)?,
            contents: create(device, "treebounds contents", bytes(16, elements), storage)?,
        })
    }

    /// What those must be that are written.
    fn needs(&self, elements: u32, passes: Passes) -> Vec<Need<'_>> {
        let storage = BufferUsages::STORAGE;
        let box_bytes = bytes(16, elements);
        let mut needs = vec![("links", &self.links, bytes(4, elements), storage)];
        if passes != Passes::BlendsOnly {
            needs.push(("clips", &self.clips, box_bytes, storage));
        }
        if passes != Passes::ClipsOnly {
            needs.push(("contents", &self.contents, box_bytes, storage));
        }
        needs
    }
}

impl NodeStage {
    /// Builds it for a device, with [`Options::passes`].
    ///
    /// # Errors
    /// As [`Stage::new`](crate::Stage::new).
    pub fn new(device: &wgpu::Device, options: &Options) -> Result<Self, Error> {
        let compiler = Compiler::new(device, options.checked);
        let task = options.passes.task(Stream::InPlace);
        Ok(Self { tree: Tree::new(&compiler, task, 16, options)?, passes: options.passes })
    }

    /// The variant that serves this many elements.
    pub fn variant(&self, elements: u32) -> Variant {
        self.tree.variant(elements)
    }

    /// How many bytes of GPU memory a scratch for this many elements will hold: 25 to 29 each, of one pass alone 9
    /// to 25.
    ///
    /// # Errors
    /// [`Error::TooMany`] where 32-bit indices do not reach.
    pub fn scratch_bytes(&self, elements: u32) -> Result<u64, Error> {
        self.tree.scratch_bytes(Capacity { elements, markers: elements })
    }

    /// Working memory for this many elements.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::TooMany`], or [`Error::Device`] where memory runs out.
    pub fn scratch(&self, elements: u32) -> Result<Scratch, Error> {
        self.tree.scratch(Capacity { elements, markers: elements })
    }

    /// Binds buffers that are large enough for the scratch. The job can be recorded for any number of frames; the
    /// count in `params` may change from frame to frame, and is cut to what the scratch is for.
    ///
    /// # Errors
    /// As [`Stage::bind`](crate::Stage::bind).
    pub fn bind(
        &self,
        inputs: &Inputs,
        outputs: &NodeOutputs,
        scratch: &Scratch,
    ) -> Result<Job, Error> {
        let capacity = scratch.capacity();
        let mut needs = inputs.needs(capacity).to_vec();
        needs.extend(outputs.needs(capacity.elements, self.passes));
        check(&self.tree.device, &needs)?;
        self.tree.bind(scratch, &|binding| bound(&needs, binding), None)
    }
}
