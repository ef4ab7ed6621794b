//! Clips in a renderer's own buffers, which WGSL of the caller reads and writes.

use crate::gpu::pipelines::{Compiler, descriptor};
use crate::gpu::scoped;
use crate::stage::tree::{Tree, elements_scratch};
use crate::{Error, Job, Scratch};
use treebounds_shaders::{Custom, Stream, Task};

/// An adapter for a renderer's own buffers, in WGSL: how they contain a stream of elements, and where the clip
/// boxes go.
///
/// The text is a WGSL module, which may import from ours. It declares its bindings in group 1 and
/// defines six functions and a type that a variable can have. Its names do not clash with names in the
/// kernels.
///
/// ```wgsl
/// import package::constants::NONE;
///
/// @group(1) @binding(0) var<storage, read> kinds: array<u32>;
/// @group(1) @binding(1) var<storage, read> boxes: array<vec4<f32>>;
/// @group(1) @binding(2) var<storage, read_write> clips: array<vec4<f32>>;
///
/// // How many elements there are; those beyond the capacity are ignored.
/// fn adapter_count() -> u32 { return arrayLength(&kinds); }
/// // The box that clips everything.
/// fn adapter_viewport() -> vec4<f32> { return vec4<f32>(0.0, 0.0, 1920.0, 1080.0); }
/// // 1 opens a node, 2 closes one, 0 and 3 do neither; only the lowest two bits count. It is called
/// // several times per element, so like the count it must not depend on what adapter_emit writes.
/// fn adapter_role(item: u32) -> u32 { return kinds[item]; }
/// // The rect of a draw or a begin: finite, x0, y0, x1, y1. It must not depend on what adapter_emit
/// // writes.
/// fn adapter_rect(item: u32) -> vec4<f32> { return boxes[item]; }
/// // What adapter_emit wants to know about `top`: the begin of an end, otherwise the parent, or NONE.
/// // It is called as soon as `top` is known, so that what it loads has arrived when adapter_emit runs.
/// // It writes nothing, and reads nothing that adapter_emit writes for another element.
/// alias AdapterTop = u32;
/// fn adapter_top(item: u32, role: u32, top: u32) -> AdapterTop { return 0u; }
/// // Called once per element. `role` and `top` are as above. `clip` is the element's rect cut by all
/// // its ancestors; `around` is the clip box of its parent. An end gets both of its begin. An empty
/// // rect is NOTHING. No two calls may write to one place.
/// fn adapter_emit(
///     item: u32, role: u32, top: u32, clip: vec4<f32>, around: vec4<f32>, known: AdapterTop,
/// ) {
///     clips[item] = clip;
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct HostAdapter<'a> {
    /// The WGSL module.
    pub wgsl: &'a str,
    /// The layout of group 1. The kernels bind one or two storage buffers in addition.
    pub bindings: &'a wgpu::BindGroupLayout,
}

/// Clips flow down a tree in a renderer's own buffers: [`Stage`](crate::Stage) with
/// [`Passes::ClipsOnly`](crate::Passes), without copies on the way in or out, and without indices of
/// markers. An adapter cannot declare filters: a scene with filters needs [`Stage`](crate::Stage).
///
/// Dispatches, with 256 threads per workgroup: 1 up to 1,024 elements (256 where a device has fewer
/// threads), 2 up to 2<sup>18</sup> (2<sup>16</sup>), 3 up to 2<sup>20</sup>, 4 beyond. The role and
/// the rect of an element are asked for at most three times each.
///
/// Source: Levien, [Fast GPU bounding boxes on tree-structured
/// scenes](https://arxiv.org/abs/2205.11659) (2022).
#[derive(Clone, Debug)]
pub struct HostClips(Tree);

descriptor! {
    /// How to build [`HostClips`].
    HostClipsDescriptor: "treebounds clips"
}

impl HostClips {
    /// Builds it for a device, with wgpu's checks of every index and loop.
    ///
    /// # Errors
    /// As [`Stage::new`](crate::Stage::new); [`Error::Kernel`] where the adapter's WGSL is wrong or
    /// binds more than the device allows.
    pub fn new(
        device: &wgpu::Device,
        adapter: &HostAdapter<'_>,
        descriptor: &HostClipsDescriptor<'_>,
    ) -> Result<Self, Error> {
        Self::build(device, adapter, descriptor, true)
    }

    /// Builds it without wgpu's checks, unless [`Tuning::checked`](crate::Tuning::checked) asks for them.
    ///
    /// # Safety
    /// No function of the adapter reads or writes past the end of a buffer or loops forever, whatever the
    /// buffers hold: an index that comes from a buffer is compared with the length first. `item` is
    /// below `adapter_count`; `top` is such an item, or NONE. `adapter_count`, `adapter_role` and `adapter_rect`
    /// give the same answers throughout a job: `adapter_emit` does not write what they read. No buffer of
    /// the adapter's bind group has bytes in common with the scratch.
    ///
    /// # Errors
    /// As [`HostClips::new`].
    #[expect(unsafe_code, reason = "the adapter's text goes unchecked")]
    pub unsafe fn new_unchecked(
        device: &wgpu::Device,
        adapter: &HostAdapter<'_>,
        descriptor: &HostClipsDescriptor<'_>,
    ) -> Result<Self, Error> {
        Self::build(device, adapter, descriptor, descriptor.tuning.checked)
    }

    fn build(
        device: &wgpu::Device,
        adapter: &HostAdapter<'_>,
        descriptor: &HostClipsDescriptor<'_>,
        checked: bool,
    ) -> Result<Self, Error> {
        let build = descriptor.build(device);
        let custom = Custom { adapter: Some(adapter.wgsl), ..Custom::default() };
        let adapter = Some(adapter.bindings);
        let compiler = Compiler { custom, adapter, checked, ..build.compiler() };
        Tree::new(&compiler, Task::down(Stream::Adapter), 16).map(Self)
    }

    /// Binds the adapter's buffers, a bind group of [`HostAdapter::bindings`]. The job can be recorded in any
    /// number of frames, and the count may change from frame to frame.
    ///
    /// # Errors
    /// [`Error::ForeignScratch`]; [`Error::Device`] where the group has another layout, or where it
    /// only reads a buffer that the scratch lies in.
    pub fn bind(&self, buffers: &wgpu::BindGroup, scratch: &Scratch<Self>) -> Result<Job, Error> {
        let job = self.0.bind(&scratch.tree, &[], Some(buffers))?;
        let device = &self.0.build.device;
        // The device checks the group when a job is recorded. This recording is never submitted.
        scoped(device, || {
            let mut encoder = device.create_command_encoder(&Default::default());
            job.record(&mut encoder);
            encoder.finish()
        })
        .map_err(Error::Device)?;
        Ok(job)
    }
}

elements_scratch!(HostClips, 0, ": about 21 each, or 25 with bundles or groups of tiles");
