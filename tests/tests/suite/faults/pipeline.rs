//! Faults of `Pipeline`: unsuitable targets, lost devices, small capacities, low limits.

use crate::faults::bench::scoped;
use crate::faults::limits::{Row, rows};
use crate::faults::lost;
use crate::faults::table::{Lab, Outcome, Refusal, Table, made, right_if};
use treebounds::{Gpu, wgpu};
use treebounds_tests::cpu::render_cpu;
use treebounds_tests::scenes::{clip_in_blend_in_clip, painted};
use treebounds_tests::vello::difference;
use treebounds_vello::{Clips, Frame, Options, Pipeline, Sizes, required_limits};
use wgpu::{TextureFormat, TextureUsages};

const SIDE: u32 = 64;

/// A render target: name, side in pixels, format, usage, and the expected outcome.
type Target = (&'static str, u32, TextureFormat, TextureUsages, &'static str);

const RGBA: TextureFormat = TextureFormat::Rgba8Unorm;
const STORAGE: TextureUsages = TextureUsages::STORAGE_BINDING;

const TARGETS: [Target; 7] = [
    ("good", SIDE, RGBA, STORAGE, "right"),
    ("larger", SIDE + 1, RGBA, STORAGE, "right"),
    ("one_too_small", SIDE - 1, RGBA, STORAGE, "TargetTooSmall: target"),
    ("of_another_device", SIDE, RGBA, STORAGE, "Device"),
    ("destroyed", SIDE, RGBA, STORAGE, "Device"),
    ("without_storage", SIDE, RGBA, TextureUsages::COPY_DST, "Device"),
    ("of_another_format", SIDE, TextureFormat::R32Float, STORAGE, "Device"),
];

const LIMITS: [Row<&str>; 14] = rows! {
    max_storage_buffers_per_shader_stage 7: "DeviceLacks",
    max_storage_textures_per_shader_stage 0: "DeviceLacks",
    max_sampled_textures_per_shader_stage 1: "Kernel",
    max_uniform_buffers_per_shader_stage 0: "Kernel",
    max_compute_invocations_per_workgroup 255: "DeviceLacks",
    max_compute_workgroup_size_x 255: "DeviceLacks",
    max_compute_workgroup_storage_size 16383: "DeviceLacks",
    max_compute_workgroups_per_dimension 3: "TooMany",
    max_storage_buffer_binding_size 65536: "TooLarge",
    max_uniform_buffer_binding_size 64: "Device",
    max_buffer_size 65536: "TooLarge",
    max_texture_dimension_2d 63: "Target",
    max_bindings_per_bind_group 7: "Kernel",
    max_bind_groups 1: "right",
};

/// Tests targets, lost devices, capacities and limits. A pipeline is right if it paints the same
/// picture as the CPU.
pub(crate) fn run(table: &mut Table<'_>) {
    if !table.wants("pipeline/") {
        return;
    }
    let Lab { gpu, other, .. } = table.lab;
    let (lab, frame, options) = (table.lab, Frame::new(SIDE, SIDE), Options::default());
    let expected = render_cpu(&frame, clip_in_blend_in_clip);
    let scene = painted(clip_in_blend_in_clip);
    let new = |gpu: &Gpu| Pipeline::new(&gpu.device, &gpu.queue, &options);
    let check = |pipeline: &mut Pipeline| -> Outcome {
        let (found, _) = pipeline.render_to_pixels(scene.encoding(), &frame)?;
        let (count, worst) = difference(&found, &expected);
        // The two renderers round edges differently.
        let is_right = worst <= 8 && count <= 64;
        right_if(is_right, &format!("{count} pixels differ, by up to {worst}"))
    };

    // After each failure, the same pipeline must still paint.
    let mut pipeline = new(gpu).unwrap();
    for (name, side, format, usage, expected) in TARGETS {
        table.case(&format!("pipeline/target/{name}"), expected, || {
            let owner = if name == "of_another_device" { other } else { gpu };
            let texture = owner.device.create_texture(&wgpu::TextureDescriptor {
                label: Some("fault"),
                size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            });
            if name == "destroyed" {
                texture.destroy();
            }
            // Creating a view of some of these targets is an error.
            let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
            let view = texture.create_view(&Default::default());
            drop(scope.pop());
            let rendered = pipeline.render_to_texture(scene.encoding(), &frame, &view);
            check(&mut pipeline)?;
            made(rendered)
        });
    }
    let most = gpu.device.limits().max_texture_dimension_2d;
    for (width, height) in [(0, 5), (5, 0), (0, 0), (most + 1, 5), (5, u32::MAX)] {
        table.case(&format!("pipeline/target/{width}_x_{height}"), "Target: pixels", || {
            let rendered = pipeline.render_to_pixels(scene.encoding(), &Frame::new(width, height));
            check(&mut pipeline)?;
            made(rendered)
        });
    }

    let lost = lab.device();
    let [mut fresh, mut used] = [(); 2].map(|()| new(&lost).unwrap());
    check(&mut used).unwrap();
    lost.device.destroy();
    table.case("pipeline/lost/before_build", "Device", || check(&mut new(&lost)?));
    table.case("pipeline/lost/before_the_first_frame", "Device", || check(&mut fresh));
    table.case("pipeline/lost/between_frames", "Device", || check(&mut used));
    table.case("pipeline/lost/and_again", "Device", || check(&mut used));
    for milliseconds in [0, 10, 40] {
        table.case(&format!("pipeline/lost/after_{milliseconds}_ms"), "Device", || {
            let gpu = lab.device();
            let mut pipeline = new(&gpu)?;
            lost::after(&gpu, milliseconds, || check(&mut pipeline))
        });
    }
    table.case("pipeline/devices/queue_of_another", "Device", || {
        let mut outcome = Ok(());
        // The other device receives the error too.
        let _heard = scoped(other, || {
            let pipeline = Pipeline::new(&gpu.device, &other.queue, &options);
            outcome = pipeline.map_err(Refusal::from).and_then(|mut pipeline| check(&mut pipeline));
        });
        outcome
    });

    // Start with no capacity, or with a capacity of one of each.
    let one =
        Sizes { lines: 1, bin_entries: 1, tiles: 1, segments: 1, spill_words: 1, command_words: 1 };
    for (name, sizes) in [("none", Sizes::NONE), ("one_of_each", one)] {
        for clips in [Clips::Vello, Clips::Treebounds, Clips::TreeboundsShrink] {
            let options = Options { clips, sizes, plan_spill: false };
            table.case(&format!("pipeline/room/{name}/{clips:?}"), "right", || {
                check(&mut Pipeline::new(&gpu.device, &gpu.queue, &options)?)
            });
        }
    }
    for (limit, set, expected) in LIMITS {
        table.case(&format!("pipeline/limits/{limit}"), expected, || {
            let gpu = lab.device_with(|limits| {
                *limits = required_limits();
                set(limits);
            });
            check(&mut new(&gpu?)?)
        });
    }
}
