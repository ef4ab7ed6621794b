//! Clips of a scene in a renderer's own buffers.

use crate::compiler::Compiler;
use crate::ready::scoped;
use crate::tree::Tree;
use crate::{Capacity, Error, Job, Options, Scratch};
use treebounds_shaders::{Custom, Stream, Task};

/// A renderer, in WGSL: how its own buffers hold a stream of elements, and where the clips
/// go.
///
/// The text is a WGSL module of its own, and may import from ours: it declares its bindings in group 1, and defines
/// six functions and a type that can be a variable. Its names clash with none of the kernels. It may import `NONE`.
///
/// ```wgsl
/// import package::constants::NONE;
///
/// @group(1) @binding(0) var<storage, read> kinds: array<u32>;
/// @group(1) @binding(1) var<storage, read> boxes: array<vec4<f32>>;
/// @group(1) @binding(2) var<storage, read_write> clips: array<vec4<f32>>;
///
/// // How many elements there are; more than the capacity are cut off.
/// fn host_count() -> u32 { return arrayLength(&kinds); }
/// // The box that cuts everything.
/// fn host_viewport() -> vec4<f32> { return vec4<f32>(0.0, 0.0, 1920.0, 1080.0); }
/// // 1 opens a node, 2 closes one, 0 does neither; only the lowest two bits count, and 3 does
/// // neither. Asked of an element again and again: like the count, it must not be what host_emit writes.
/// fn host_role(item: u32) -> u32 { return kinds[item]; }
/// // The rect of what is no end: finite, x0, y0, x1, y1. Nor must this be what host_emit writes.
/// fn host_rect(item: u32) -> vec4<f32> { return boxes[item]; }
/// // What host_emit wants to know of `top`, the element on top of the stack before this one, or
/// // NONE: of an end its begin, else the nearest begin around it. Asked as soon as that is known, so
/// // that what is loaded here has arrived by then. It writes nothing, and reads nothing that
/// // host_emit writes for another element.
/// alias HostTop = u32;
/// fn host_top(item: u32, role: u32, top: u32) -> HostTop { return 0u; }
/// // Once for each element. `role` and `top` as above; `clip`, its rect cut
/// // by all around it, of an end that of its begin; `around`, what is around it, of an end
/// // what is around its begin. Empty rects are NOTHING. No two calls may write to one place.
/// fn host_emit(
///     item: u32, role: u32, top: u32, clip: vec4<f32>, around: vec4<f32>, known: HostTop,
/// ) {
///     clips[item] = clip;
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Host<'a> {
    /// The WGSL.
    pub wgsl: &'a str,
    /// The layout of group 1. The stage binds two storage buffers of its own, or one.
    pub bindings: &'a wgpu::BindGroupLayout,
}

/// Clips flow down a tree in a renderer's own buffers: what [`Stage`](crate::Stage) does with
/// [`Passes::ClipsOnly`](crate::Passes), without a copy on the way in or out, and without node
/// indices.
///
/// Dispatches, with 256 threads per workgroup: 1 up to 1,024 elements (256 where a device has fewer threads), 2 up to
/// 2<sup>18</sup> (2<sup>16</sup>), 3 up to 2<sup>20</sup>, 4 beyond. An element's role is asked for at most three times, and
/// its rect at most three times.
///
/// Source: Levien, [Fast GPU bounding boxes on tree-structured
/// scenes](https://arxiv.org/abs/2205.11659) (2022).
#[derive(Clone, Debug)]
pub struct HostClips(Tree);

impl HostClips {
    /// Builds it for a device.
    ///
    /// # Errors
    /// As [`Stage::new`](crate::Stage::new); [`Error::Kernel`] where the host's WGSL is wrong,
    /// or binds more than the device allows.
    pub fn new(device: &wgpu::Device, host: &Host<'_>, options: &Options) -> Result<Self, Error> {
        Self::build(device, host, &Options { checked: true, ..*options })
    }

    /// The same without wgpu's checks, unless the options ask for them.
    ///
    /// # Safety
    /// No function of the host indexes past the end of a buffer or loops forever, whatever
    /// the buffers hold: what it reads as an index, it compares with the length first. `item`
    /// is below `host_count`; `top` is one that was, or NONE. `host_count`, `host_role` and `host_rect`
    /// give the same answers throughout a job: `host_emit` does not write what they read.
    ///
    /// # Errors
    /// As [`HostClips::new`].
    #[expect(unsafe_code, reason = "the host's text goes unchecked")]
    pub unsafe fn new_unchecked(
        device: &wgpu::Device,
        host: &Host<'_>,
        options: &Options,
    ) -> Result<Self, Error> {
        Self::build(device, host, options)
    }

    fn build(device: &wgpu::Device, host: &Host<'_>, options: &Options) -> Result<Self, Error> {
        let custom = Custom { host: host.wgsl, ..Custom::default() };
        let host = Some(host.bindings);
        let compiler = Compiler { custom, host, ..Compiler::new(device, options.checked) };
        Tree::new(&compiler, Task::down(Stream::Host), 16, options).map(Self)
    }

    /// How many bytes of GPU memory a scratch for this many elements will hold: about 21
    /// each, 25 with bundles or groups of tiles.
    ///
    /// # Errors
    /// [`Error::TooMany`] where 32-bit indices do not reach.
    pub fn scratch_bytes(&self, elements: u32) -> Result<u64, Error> {
        self.0.scratch_bytes(Capacity { elements, markers: elements })
    }

    /// Working memory for this many elements.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::TooMany`], or [`Error::Device`] where memory runs out.
    pub fn scratch(&self, elements: u32) -> Result<Scratch, Error> {
        self.0.scratch(Capacity { elements, markers: elements })
    }

    /// Binds the host's buffers, a bind group of [`Host::bindings`]. The job can be recorded
    /// for any number of frames; the count may change from frame to frame.
    ///
    /// # Errors
    /// [`Error::ForeignScratch`]; [`Error::Device`] where the group is of another layout.
    pub fn bind(&self, buffers: &wgpu::BindGroup, scratch: &Scratch) -> Result<Job, Error> {
        let job = self.0.bind(scratch, &|_| None, Some(buffers))?;
        // Whether the group is of that layout, the device says where a job is recorded. This one is never submitted.
        scoped(&self.0.device, || {
            let mut encoder = self.0.device.create_command_encoder(&Default::default());
            job.record(&mut encoder);
            encoder.finish()
        })
        .map_err(Error::Device)?;
        Ok(job)
    }
}
