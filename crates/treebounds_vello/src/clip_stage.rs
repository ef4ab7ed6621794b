//! Vello's clip stage, without its limits, and with unions of layers.

use crate::Error;
use crate::kernel::{self, Dispatch, HOST_BINDS, Kernel, Name};
use treebounds::device::{check_buffers, create_buffer, scoped};
use treebounds::{Capacity, Host, HostClips, Inputs, Options, Outputs, Params, Stage, wgpu};
use vello_encoding::{Clip, ClipBbox, ConfigUniform, DrawMonoid, Encoding, Layout, PathBbox};
use wgpu::BufferUsages;

/// Vello's buffers, as its `draw_leaf` stage leaves them and its `binning` stage
/// reads them, for n draw objects and m begins and ends of layers.
///
/// | buffer | holds | bytes | usage | is |
/// |---|---|---|---|---|
/// | `config` | [`ConfigUniform`] | 88 | `UNIFORM` | read |
/// | `scene` | the packed encoding | what it has | `STORAGE` | read, to shrink |
/// | `clip_inp` | [`Clip`] | 8 m | `STORAGE` | read |
/// | `path_bboxes` | [`PathBbox`] | 24 n | `STORAGE` | read; written to shrink |
/// | `draw_monoids` | [`DrawMonoid`] | 16 n | `STORAGE` | of ends, written |
/// | `clip_bboxes` | [`ClipBbox`] | 16 m | `STORAGE` | written |
#[derive(Clone, Copy, Debug)]
pub struct ClipBuffers<'a> {
    /// The uniform of all stages.
    pub config: &'a wgpu::Buffer,
    /// The packed encoding.
    pub scene: &'a wgpu::Buffer,
    /// A begin or end each.
    pub clip_inp: &'a wgpu::Buffer,
    /// A path's box each.
    pub path_bboxes: &'a wgpu::Buffer,
    /// What precedes each draw object.
    pub draw_monoids: &'a wgpu::Buffer,
    /// A box for each begin and end.
    pub clip_bboxes: &'a wgpu::Buffer,
}

/// How many draw objects and layers a [`ClipJob`] is made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ClipCapacity {
    /// The most draw objects, `layout.n_draw_objects`; as many paths.
    pub draw_objects: u32,
    /// The most begins and ends of layers among them, `layout.n_clips`.
    pub clips: u32,
}

/// What stands in for Vello's `clip_reduce` and `clip_leaf`: any number of layers,
/// any depth.
///
/// It reads the counts from Vello's config on the GPU, so that a job that is bound
/// once serves every frame that fits its capacity.
///
/// An encoding with layers left open needs [`close_layers`] on its layout: Vello's
/// resolver appends their ends without counting them.
#[derive(Clone, Debug)]
pub struct ClipStage {
    device: wgpu::Device,
    layers: Layers,
}

/// Which buffers the clips are computed on.
#[derive(Clone, Debug)]
enum Layers {
    /// On Vello's buffers as they are.
    Clips { clips: HostClips, bindings: wgpu::BindGroupLayout },
    /// On all draw objects, copied: layers are shrunk.
    Objects { load: Kernel, stage: Stage, apply: Kernel },
}

impl ClipStage {
    /// Builds the stage for a device. With `shrink`, the box of each layer is cut to
    /// what is visible inside it before binning, unless the blend of the layer is not local:
    /// unless it changes pixels outside its source. That costs passes over all draw
    /// objects instead of the begins and ends alone.
    ///
    /// Cost: one dispatch up to 1,024 begins and ends and 2 up to 2<sup>18</sup>, as Vello's own stage; with `shrink` 3
    /// up to 1,024 draw objects, and 5 up to 2<sup>18</sup>. For more see [`HostClips`] and [`Stage`].
    ///
    /// # Errors
    /// As [`Stage::new`]; [`Error::Kernel`] where the device refuses a kernel.
    pub fn new(device: &wgpu::Device, shrink: bool) -> Result<Self, Error> {
        let options = Options::default();
        let layers = if shrink {
            Layers::Objects {
                load: Kernel::new(device, kernel::LOAD_OBJECTS)?,
                stage: Stage::new(device, &options)?,
                apply: Kernel::new(device, kernel::APPLY)?,
            }
        } else {
            let bindings = scoped(device, || kernel::bindings(device, LABEL, HOST_BINDS))
                .map_err(|message| Error::Kernel { kernel: LABEL, message })?;
            let host = Host { wgsl: &kernel::host_wgsl(), bindings: &bindings };
            // SAFETY: `clips.wgsl` compares every index that it reads from a buffer with the
            // length of what it indexes, and has no loops.
            #[expect(unsafe_code, reason = "WGSL of our own, for speed")]
            let clips = unsafe { HostClips::new_unchecked(device, &host, &options) }?;
            Layers::Clips { clips, bindings }
        };
        Ok(Self { device: device.clone(), layers })
    }

    /// Binds Vello's buffers, compiles kernels for frames of more than 2<sup>18</sup> draw objects when
    /// there is one, and allocates what the stage works in: up to 29 bytes a begin or
    /// end; with `shrink`, at most about 77 a draw object and 40 more a begin or end. More layers in a frame
    /// than the capacity: those past it keep what their buffers had, and no layer is shrunk; neither with
    /// more draw objects.
    ///
    /// # Errors
    /// [`treebounds::Error::BufferTooSmall`], [`treebounds::Error::BufferUsage`], [`treebounds::Error::BoundTwice`] and what
    /// allocating may give, as [`Error::Stage`]; [`Error::Device`] where the device refuses to bind them: a buffer that was
    /// destroyed, or of another device.
    pub fn bind(
        &self,
        buffers: &ClipBuffers<'_>,
        capacity: ClipCapacity,
    ) -> Result<ClipJob, Error> {
        check(&self.device, buffers, capacity)?;
        match &self.layers {
            Layers::Clips { clips, bindings } => {
                self.bind_clips(clips, bindings, buffers, capacity)
            }
            Layers::Objects { load, stage, apply } => {
                self.bind_objects([load, apply], stage, buffers, capacity)
            }
        }
    }

    fn bind_clips(
        &self,
        clips: &HostClips,
        bindings: &wgpu::BindGroupLayout,
        buffers: &ClipBuffers<'_>,
        capacity: ClipCapacity,
    ) -> Result<ClipJob, Error> {
        let scratch = clips.scratch(capacity.clips)?;
        let buffer = |name| vellos(buffers, name).unwrap_or(buffers.config);
        let group = scoped(&self.device, || {
            kernel::bind_group(&self.device, LABEL, bindings, HOST_BINDS, buffer)
        });
        let group = group.map_err(Error::Device)?;
        let core = clips.bind(&group, &scratch)?;
        Ok(ClipJob { load: None, core, apply: None, bytes: scratch.bytes() })
    }

    fn bind_objects(
        &self,
        [load, apply]: [&Kernel; 2],
        stage: &Stage,
        buffers: &ClipBuffers<'_>,
        capacity: ClipCapacity,
    ) -> Result<ClipJob, Error> {
        let device = &self.device;
        let elements = capacity.draw_objects;
        let inner = Capacity { elements, markers: capacity.clips };
        let slots = u64::from(elements.max(1));
        let storage = BufferUsages::STORAGE;
        let params = BufferUsages::UNIFORM | storage;
        let inputs = Inputs {
            params: create_buffer(device, "treebounds params", size_of::<Params>() as u64, params)?,
            tags: create_buffer(
                device,
                "treebounds tags",
                (4 * slots).next_multiple_of(16),
                storage,
            )?,
            rects: create_buffer(device, "treebounds rects", 16 * slots, storage)?,
        };
        let outputs = Outputs::new(device, inner)?;
        let scratch = stage.scratch(inner)?;
        let core = stage.bind(&inputs, &outputs, &scratch)?;
        let buffer = |name| match name {
            Name::Params => &inputs.params,
            Name::Tags => &inputs.tags,
            Name::Rects => &inputs.rects,
            Name::Counts => &outputs.counts,
            Name::Links => &outputs.links,
            Name::Clips => &outputs.clips,
            Name::Contents => &outputs.contents,
            name => vellos(buffers, name).unwrap_or(buffers.config),
        };
        let own =
            [&inputs.params, &inputs.tags, &inputs.rects, &outputs.counts, &outputs.markers_before];
        let rest = [
            &outputs.marker_elements,
            &outputs.links,
            &outputs.clips,
            &outputs.contents,
            &outputs.boxes,
        ];
        let bytes =
            own.into_iter().chain(rest).map(wgpu::Buffer::size).sum::<u64>() + scratch.bytes();
        Ok(ClipJob {
            load: Some(load.bind(device, elements, buffer)?),
            core,
            apply: Some(apply.bind(device, capacity.clips, buffer)?),
            bytes,
        })
    }

    /// Whether layers are shrunk.
    pub fn shrinks(&self) -> bool {
        matches!(self.layers, Layers::Objects { .. })
    }
}

const LABEL: &str = "treebounds clips";

/// Which of Vello's buffers has this name.
fn vellos<'a>(buffers: &ClipBuffers<'a>, name: Name) -> Option<&'a wgpu::Buffer> {
    Some(match name {
        Name::Config => buffers.config,
        Name::Scene => buffers.scene,
        Name::ClipInp => buffers.clip_inp,
        Name::PathBboxes => buffers.path_bboxes,
        Name::DrawMonoids => buffers.draw_monoids,
        Name::ClipBboxes => buffers.clip_bboxes,
        _ => return None,
    })
}

/// The clip stage of a frame, bound. Recording it allocates, submits and waits for
/// nothing.
#[derive(Clone, Debug)]
pub struct ClipJob {
    load: Option<Dispatch>,
    core: treebounds::Job,
    apply: Option<Dispatch>,
    bytes: u64,
}

impl ClipJob {
    /// Records between Vello's `draw_leaf` and its `binning`, in a pass of its own.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(LABEL),
            timestamp_writes: None,
        });
        self.record_in_pass(&mut pass);
    }

    /// The same, into a compute pass that is open.
    pub fn record_in_pass(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.load.iter().for_each(|load| load.record(pass));
        self.core.record_in_pass(pass);
        self.apply.iter().for_each(|apply| apply.record(pass));
    }

    /// Bytes of GPU memory that it holds, without Vello's buffers.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Counts the ends that Vello's resolver appends for layers that were left open:
/// its own stages pass over them, and lose the layers' alpha and backdrop. Call it on the
/// layout that the resolver returned, once.
pub fn close_layers(layout: &mut Layout, encoding: &Encoding) {
    layout.n_draw_objects += encoding.n_open_clips;
    layout.n_paths += encoding.n_open_clips;
    layout.n_clips += encoding.n_open_clips;
}

fn check(
    device: &wgpu::Device,
    buffers: &ClipBuffers<'_>,
    capacity: ClipCapacity,
) -> Result<(), treebounds::Error> {
    let bytes = |count: u32, size: usize| u64::from(count.max(1)) * size as u64;
    let (n, m) = (capacity.draw_objects, capacity.clips);
    let storage = BufferUsages::STORAGE;
    let needs = [
        ("config", buffers.config, size_of::<ConfigUniform>() as u64, BufferUsages::UNIFORM),
        ("scene", buffers.scene, 4, storage),
        ("clip_inp", buffers.clip_inp, bytes(m, size_of::<Clip>()), storage),
        ("path_bboxes", buffers.path_bboxes, bytes(n, size_of::<PathBbox>()), storage),
        ("draw_monoids", buffers.draw_monoids, bytes(n, size_of::<DrawMonoid>()), storage),
        ("clip_bboxes", buffers.clip_bboxes, bytes(m, size_of::<ClipBbox>()), storage),
    ];
    check_buffers(device, &needs)
}
