//! `Pipeline`: targets that do not fit, lost devices, low limits.

use crate::faults::lab::{Lab, lost_after};
use crate::faults::table::{Ending, Expect, Refusal, Table, made};
use treebounds::{Gpu, wgpu};
use treebounds_tests::cpu::render_cpu;
use treebounds_tests::scenes;
use treebounds_tests::vello::difference;
use treebounds_vello::{Clips, Frame, Options, Pipeline, Sizes, required_limits};
use wgpu::{Limits, TextureFormat, TextureUsages};

/// A side of the picture.
const SIDE: u32 = 64;

/// What is painted, and by the CPU.
struct Picture {
    scene: vello::Scene,
    expected: Vec<u8>,
}

impl Picture {
    fn new() -> Self {
        let scene = scenes::painted(scenes::clip_in_blend_in_clip);
        let expected = render_cpu(&frame(), scenes::clip_in_blend_in_clip);
        Self { scene, expected }
    }

    /// Whether a pipeline paints it.
    fn check(&self, pipeline: &mut Pipeline) -> Ending {
        let (found, _) = pipeline.render_to_pixels(self.scene.encoding(), &frame())?;
        let (count, worst) = difference(&found, &self.expected);
        // Two renderers round edges differently.
        let is_right = worst <= 8 && count <= 64;
        let text = || format!("{count} pixels differ, by up to {worst}");
        if is_right { Ok(()) } else { Err(Refusal::wrong(text())) }
    }
}

fn frame() -> Frame {
    Frame::new(SIDE, SIDE)
}

fn new(gpu: &Gpu) -> Result<Pipeline, Refusal> {
    Ok(Pipeline::new(&gpu.device, &gpu.queue, &Options::default())?)
}

/// Targets, losses, limits, rooms.
pub(crate) fn run(lab: &Lab, table: &mut Table<'_>) {
    if !table.wants("pipeline/") {
        return;
    }
    let picture = Picture::new();
    let mut pipeline = new(&lab.gpu).unwrap();
    targets(lab, table, &picture, &mut pipeline);
    losses(lab, table, &picture);
    rooms(lab, table, &picture);
    limits(lab, table, &picture);
}

/// A texture that a pipeline renders to.
fn target(gpu: &Gpu, side: u32, format: TextureFormat, usage: TextureUsages) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("fault"),
        size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    })
}

/// After each, the same pipeline paints.
fn targets(lab: &Lab, table: &mut Table<'_>, picture: &Picture, pipeline: &mut Pipeline) {
    let (rgba, storage) = (TextureFormat::Rgba8Unorm, TextureUsages::STORAGE_BINDING);
    let device = Expect::Refused(&["Device"], "");
    let destroyed = target(&lab.gpu, SIDE, rgba, storage);
    destroyed.destroy();
    let cases = [
        ("good", target(&lab.gpu, SIDE, rgba, storage), Expect::Right),
        ("larger", target(&lab.gpu, SIDE + 1, rgba, storage), Expect::Right),
        (
            "one_too_small",
            target(&lab.gpu, SIDE - 1, rgba, storage),
            Expect::Refused(&["TargetTooSmall"], "target"),
        ),
        ("of_another_device", target(&lab.other, SIDE, rgba, storage), device),
        ("destroyed", destroyed, device),
        ("without_storage", target(&lab.gpu, SIDE, rgba, TextureUsages::COPY_DST), device),
        ("of_another_format", target(&lab.gpu, SIDE, TextureFormat::R32Float, storage), device),
    ];
    for (name, texture, expect) in cases {
        table.case(&format!("pipeline/target/{name}"), expect, || {
            // A view of some of them is in error itself.
            let scope = lab.gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
            let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
            drop(scope.pop());
            let encoding = picture.scene.encoding();
            let rendered = pipeline.render_to_texture(encoding, &frame(), &view);
            picture.check(pipeline)?;
            made(rendered)
        });
    }
    let most = lab.gpu.device.limits().max_texture_dimension_2d;
    for (width, height) in [(0, 5), (5, 0), (0, 0), (most + 1, 5), (5, u32::MAX)] {
        let refused = Expect::Refused(&["Target"], "pixels");
        table.case(&format!("pipeline/target/{width}_x_{height}"), refused, || {
            let odd = Frame::new(width, height);
            let rendered = pipeline.render_to_pixels(picture.scene.encoding(), &odd);
            picture.check(pipeline)?;
            made(rendered)
        });
    }
}

fn losses(lab: &Lab, table: &mut Table<'_>, picture: &Picture) {
    let lost = Expect::Refused(&["Device"], "");
    let gpu = lab.device();
    let mut fresh = new(&gpu).unwrap();
    let mut used = new(&gpu).unwrap();
    picture.check(&mut used).unwrap();
    gpu.device.destroy();
    table.case("pipeline/lost/before_build", lost, || picture.check(&mut new(&gpu)?));
    table.case("pipeline/lost/before_the_first_frame", lost, || picture.check(&mut fresh));
    table.case("pipeline/lost/between_frames", lost, || picture.check(&mut used));
    table.case("pipeline/lost/and_again", lost, || picture.check(&mut used));
    for milliseconds in [0, 10, 40] {
        let gpu = lab.device();
        let mut pipeline = new(&gpu).unwrap();
        table.case(&format!("pipeline/lost/after_{milliseconds}_ms"), lost, || {
            lost_after(&gpu, milliseconds, || picture.check(&mut pipeline))
        });
    }
    table.case("pipeline/devices/queue_of_another", Expect::AnyError, || {
        let Lab { gpu, other, .. } = lab;
        let mut ending = Ok(());
        let _heard = treebounds::device::scoped(&other.device, || {
            ending = Pipeline::new(&gpu.device, &other.queue, &Options::default())
                .map_err(Refusal::from)
                .and_then(|mut pipeline| picture.check(&mut pipeline));
        });
        ending
    });
}

/// Room to begin with: none, one of each.
fn rooms(lab: &Lab, table: &mut Table<'_>, picture: &Picture) {
    let one =
        Sizes { lines: 1, bin_entries: 1, tiles: 1, segments: 1, spill_words: 1, command_words: 1 };
    for (name, sizes) in [("none", Sizes::NONE), ("one_of_each", one)] {
        for clips in [Clips::Vello, Clips::Treebounds, Clips::TreeboundsShrink] {
            let options = Options { clips, sizes, plan_spill: false };
            table.case(&format!("pipeline/room/{name}/{clips:?}"), Expect::Right, || {
                let Gpu { device, queue, .. } = &lab.gpu;
                picture.check(&mut Pipeline::new(device, queue, &options)?)
            });
        }
    }
}

/// A limit, and how low it is.
type Low = (&'static str, fn(&mut Limits));

const LOW: [Low; 14] = [
    ("max_storage_buffers_per_shader_stage_7", |l| l.max_storage_buffers_per_shader_stage = 7),
    ("max_storage_textures_per_shader_stage_0", |l| l.max_storage_textures_per_shader_stage = 0),
    ("max_sampled_textures_per_shader_stage_1", |l| l.max_sampled_textures_per_shader_stage = 1),
    ("max_uniform_buffers_per_shader_stage_0", |l| l.max_uniform_buffers_per_shader_stage = 0),
    ("max_compute_invocations_per_workgroup_255", |l| {
        l.max_compute_invocations_per_workgroup = 255;
    }),
    ("max_compute_workgroup_size_x_255", |l| l.max_compute_workgroup_size_x = 255),
    ("max_compute_workgroup_storage_size_16383", |l| l.max_compute_workgroup_storage_size = 16_383),
    ("max_compute_workgroups_per_dimension_3", |l| l.max_compute_workgroups_per_dimension = 3),
    ("max_storage_buffer_binding_size_65536", |l| l.max_storage_buffer_binding_size = 1 << 16),
    ("max_uniform_buffer_binding_size_64", |l| l.max_uniform_buffer_binding_size = 64),
    ("max_buffer_size_65536", |l| l.max_buffer_size = 1 << 16),
    ("max_texture_dimension_2d_63", |l| l.max_texture_dimension_2d = 63),
    ("max_bindings_per_bind_group_7", |l| l.max_bindings_per_bind_group = 7),
    ("max_bind_groups_1", |l| l.max_bind_groups = 1),
];

fn limits(lab: &Lab, table: &mut Table<'_>, picture: &Picture) {
    for (name, set) in LOW {
        table.case(&format!("pipeline/limits/{name}"), Expect::Either, || {
            let mut limits = required_limits();
            set(&mut limits);
            picture.check(&mut new(&lab.device_with(limits)?)?)
        });
    }
}
