//! Clips of a scene in a renderer's own buffers.

use crate::gpu::device::scoped;
use crate::gpu::pipelines::{Build, Compiler};
use crate::stage::tree::Tree;
use crate::{Capacity, Error, Job, Scratch, Tuning};
use treebounds_shaders::{Custom, Stream, Task};
use wgpu::BufferBinding;

/// A renderer described in WGSL: how its own buffers hold a stream of elements, and where the clip
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
/// fn host_count() -> u32 { return arrayLength(&kinds); }
/// // The box that clips everything.
/// fn host_viewport() -> vec4<f32> { return vec4<f32>(0.0, 0.0, 1920.0, 1080.0); }
/// // 1 opens a node, 2 closes one, 0 and 3 do neither; only the lowest two bits count. It is called
/// // several times per element, so like the count it must not depend on what host_emit writes.
/// fn host_role(item: u32) -> u32 { return kinds[item]; }
/// // The rect of a draw or a begin: finite, x0, y0, x1, y1. It must not depend on what host_emit
/// // writes.
/// fn host_rect(item: u32) -> vec4<f32> { return boxes[item]; }
/// // What host_emit wants to know about `top`: the begin of an end, otherwise the parent, or NONE.
/// // It is called as soon as `top` is known, so that what it loads has arrived when host_emit runs.
/// // It writes nothing, and reads nothing that host_emit writes for another element.
/// alias HostTop = u32;
/// fn host_top(item: u32, role: u32, top: u32) -> HostTop { return 0u; }
/// // Called once per element. `role` and `top` are as above. `clip` is the element's rect cut by all
/// // its ancestors; `around` is the clip box of its parent. An end gets both of its begin. An empty
/// // rect is NOTHING. No two calls may write to one place.
/// fn host_emit(
///     item: u32, role: u32, top: u32, clip: vec4<f32>, around: vec4<f32>, known: HostTop,
/// ) {
///     clips[item] = clip;
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Host<'a> {
    /// The WGSL module.
    pub wgsl: &'a str,
    /// The layout of group 1. The kernels bind one or two storage buffers in addition.
    pub bindings: &'a wgpu::BindGroupLayout,
}

/// Clips flow down a tree in a renderer's own buffers: [`Stage`](crate::Stage) with
/// [`Passes::ClipsOnly`](crate::Passes), without copies on the way in or out, and without indices of
/// markers.
///
/// Dispatches, with 256 threads per workgroup: 1 up to 1,024 elements (256 where a device has fewer
/// threads), 2 up to 2<sup>18</sup> (2<sup>16</sup>), 3 up to 2<sup>20</sup>, 4 beyond. The role and
/// the rect of an element are asked for at most three times each.
///
/// Source: Levien, [Fast GPU bounding boxes on tree-structured
/// scenes](https://arxiv.org/abs/2205.11659) (2022).
#[derive(Clone, Debug)]
pub struct HostClips(Tree);

/// How to build [`HostClips`].
#[derive(Clone, Copy, Debug, Default)]
pub struct HostClipsDescriptor<'a> {
    /// The label of its pipelines, bind groups, scratch buffers and passes. `None`: "treebounds
    /// clips".
    pub label: Option<&'a str>,
    /// How its kernels are compiled.
    pub tuning: Tuning,
    /// A cache of compiled pipelines.
    pub pipeline_cache: Option<&'a wgpu::PipelineCache>,
}

impl HostClips {
    /// Builds it for a device, with wgpu's checks of every index and loop.
    ///
    /// # Errors
    /// As [`Stage::new`](crate::Stage::new); [`Error::Kernel`] where the host's WGSL is wrong or
    /// binds more than the device allows.
    pub fn new(
        device: &wgpu::Device,
        host: &Host<'_>,
        descriptor: &HostClipsDescriptor<'_>,
    ) -> Result<Self, Error> {
        Self::build(device, host, descriptor, true)
    }

    /// Builds it without wgpu's checks, unless [`Tuning::checked`] asks for them.
    ///
    /// # Safety
    /// No function of the host reads or writes past the end of a buffer or loops forever, whatever the
    /// buffers hold: an index that comes from a buffer is compared with the length first. `item` is
    /// below `host_count`; `top` is such an item, or NONE. `host_count`, `host_role` and `host_rect`
    /// give the same answers throughout a job: `host_emit` does not write what they read.
    ///
    /// # Errors
    /// As [`HostClips::new`].
    #[expect(unsafe_code, reason = "the host's text goes unchecked")]
    pub unsafe fn new_unchecked(
        device: &wgpu::Device,
        host: &Host<'_>,
        descriptor: &HostClipsDescriptor<'_>,
    ) -> Result<Self, Error> {
        Self::build(device, host, descriptor, descriptor.tuning.checked)
    }

    fn build(
        device: &wgpu::Device,
        host: &Host<'_>,
        descriptor: &HostClipsDescriptor<'_>,
        checked: bool,
    ) -> Result<Self, Error> {
        let HostClipsDescriptor { label, tuning, pipeline_cache } = *descriptor;
        let build = Build::new(device, label, "treebounds clips", tuning, pipeline_cache);
        let custom = Custom { host: host.wgsl, ..Custom::default() };
        let host = Some(host.bindings);
        let compiler = Compiler { custom, host, checked, ..build.compiler() };
        Tree::new(&compiler, Task::down(Stream::Host), 16).map(Self)
    }

    /// Bytes of a scratch for this many elements: about 21 each, or 25 with bundles or groups of
    /// tiles.
    ///
    /// # Errors
    /// [`Error::TooMany`] where 32-bit indices do not suffice.
    pub fn scratch_bytes(&self, elements: u32) -> Result<u64, Error> {
        self.0.scratch_bytes(Capacity { elements, markers: elements })
    }

    /// Working memory for this many elements, in new buffers.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::TooMany`], or [`Error::Device`] where memory runs out.
    pub fn scratch(&self, elements: u32) -> Result<Scratch, Error> {
        self.0.scratch(Capacity { elements, markers: elements }, None)
    }

    /// Working memory for this many elements in the caller's, of at least
    /// [`scratch_bytes`](Self::scratch_bytes) and with the usage `STORAGE`.
    ///
    /// # Errors
    /// As [`HostClips::scratch`], and as [`Stage::bind`](crate::Stage::bind) for a range that does not
    /// fit.
    pub fn scratch_in(&self, elements: u32, memory: BufferBinding<'_>) -> Result<Scratch, Error> {
        self.0.scratch(Capacity { elements, markers: elements }, Some(memory))
    }

    /// Binds the host's buffers, a bind group of [`Host::bindings`]. The job can be recorded in any
    /// number of frames, and the count may change from frame to frame.
    ///
    /// # Errors
    /// [`Error::ForeignScratch`]; [`Error::Device`] where the group has another layout, or where it
    /// only reads a buffer that the scratch lies in.
    pub fn bind(&self, buffers: &wgpu::BindGroup, scratch: &Scratch) -> Result<Job, Error> {
        let job = self.0.bind(scratch, &[], Some(buffers))?;
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
