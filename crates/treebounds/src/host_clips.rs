//! Clips in a renderer's own buffers, accessed by caller-supplied WGSL.

use crate::gpu::pipelines::{Compiler, descriptor};
use crate::gpu::scoped;
use crate::stage::tree::{Tree, elements_scratch};
use crate::{Error, Job, Scratch};
use treebounds_shaders::{Custom, Stream, Task};

/// A WGSL adapter for a renderer's own buffers. It reads a stream of elements and writes the clip boxes.
///
/// The WGSL module may import from ours. It declares its bindings in group 1, and defines six functions
/// and a constructible type. Its names cannot clash with names in the kernels.
///
/// ```wgsl
/// import package::constants::NONE;
///
/// @group(1) @binding(0) var<storage, read> kinds: array<u32>;
/// @group(1) @binding(1) var<storage, read> boxes: array<vec4<f32>>;
/// @group(1) @binding(2) var<storage, read_write> clips: array<vec4<f32>>;
///
/// // The number of elements. Elements beyond the capacity are ignored.
/// fn adapter_count() -> u32 { return arrayLength(&kinds); }
/// // The box that clips everything.
/// fn adapter_viewport() -> vec4<f32> { return vec4<f32>(0.0, 0.0, 1920.0, 1080.0); }
/// // 1 opens a node, 2 closes one, 0 and 3 do neither; only the lowest two bits are used. The count,
/// // role and rect are read several times, so they must not depend on data written by adapter_emit.
/// fn adapter_role(item: u32) -> u32 { return kinds[item]; }
/// // The rect of a draw or a begin: finite, x0, y0, x1, y1.
/// fn adapter_rect(item: u32) -> vec4<f32> { return boxes[item]; }
/// // Prefetches data about `top` for adapter_emit, as soon as `top` is known. `top` is the begin of an
/// // end, otherwise the parent, or NONE. adapter_top must not write, or read data that adapter_emit
/// // writes for another element.
/// alias AdapterTop = u32;
/// fn adapter_top(item: u32, role: u32, top: u32) -> AdapterTop { return 0u; }
/// // Called once per element. `role` and `top` are as above. `clip` is the element's rect clipped by
/// // all ancestors; `around` is the clip box of its parent. An end gets the values of its begin. Empty
/// // rects are NOTHING. Different calls must write to different locations.
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
    /// The layout of group 1. The kernels bind one or two additional storage buffers.
    pub bindings: &'a wgpu::BindGroupLayout,
}

/// Computes clip boxes in a renderer's own buffers, like [`Stage`](crate::Stage) with
/// [`Passes::ClipsOnly`](crate::Passes), but without copying inputs or outputs, and without marker
/// indices. An adapter cannot declare filters: scenes with filters need [`Stage`](crate::Stage).
///
/// Dispatches, with 256 threads per workgroup: 1 for up to 1,024 elements, 2 for up to 2<sup>18</sup>, 3 for
/// up to 2<sup>20</sup>, 4 for more. On devices that do not support enough threads, the first two limits are
/// 256 and 2<sup>16</sup>. The role and the rect of an element are read at most three times each.
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
    /// Compiles the kernels for a device, with wgpu's checks for every index and loop.
    ///
    /// # Errors
    /// The errors of [`Stage::new`](crate::Stage::new); [`Error::Kernel`] if the adapter's WGSL is invalid or
    /// exceeds the device's binding limits.
    pub fn new(
        device: &wgpu::Device,
        adapter: &HostAdapter<'_>,
        descriptor: &HostClipsDescriptor<'_>,
    ) -> Result<Self, Error> {
        Self::build(device, adapter, descriptor, true)
    }

    /// Compiles the kernels without wgpu's checks, unless [`Tuning::checked`](crate::Tuning::checked) is
    /// set.
    ///
    /// # Safety
    /// For any buffer contents, no adapter function accesses a buffer out of bounds or loops forever:
    /// compare indices read from buffers with the length. `item` is below `adapter_count`, and `top` is
    /// below `adapter_count` or NONE. `adapter_count`, `adapter_role` and `adapter_rect` return the same
    /// results throughout a job: `adapter_emit` must not write the data that they read. No buffer in the
    /// adapter's bind group overlaps the scratch.
    ///
    /// # Errors
    /// Same as [`HostClips::new`].
    #[expect(unsafe_code, reason = "the adapter's WGSL is not checked")]
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

    /// Binds the adapter's buffers. The bind group must have the layout [`HostAdapter::bindings`]. The job can
    /// be recorded in any number of frames, and the count may change from frame to frame.
    ///
    /// # Errors
    /// [`Error::ForeignScratch`]; [`Error::Device`] if the group has another layout, or if it binds the
    /// buffer of the scratch as read-only.
    pub fn bind(&self, buffers: &wgpu::BindGroup, scratch: &Scratch<Self>) -> Result<Job, Error> {
        let job = self.0.bind(&scratch.tree, &[], Some(buffers))?;
        let device = &self.0.build.device;
        // The device checks the group only when the job is recorded. This recording is never submitted.
        scoped(device, || {
            let mut encoder = device.create_command_encoder(&Default::default());
            job.record(&mut encoder);
            encoder.finish()
        })
        .map_err(Error::Device)?;
        Ok(job)
    }
}

elements_scratch!(HostClips, 0, ": about 21 per element, or 25 with bundles or groups of tiles");
