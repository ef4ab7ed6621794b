//! Every limit that matters, at the lowest value and just below what is needed.

use crate::faults::bench;
use crate::faults::lab::Lab;
use crate::faults::subjects;
use crate::faults::table::{Ending, Expect, Table};
use treebounds::{Gpu, wgpu};
use treebounds_core::reference;
use treebounds_tests::streams::random_scene;
use wgpu::Limits;

/// A limit, how to set it, and its values: the lowest, and others that are below what some kernel needs.
type Row = (&'static str, fn(&mut Limits, u32), &'static [u32]);

macro_rules! rows {
    ($($limit:ident: $values:expr,)*) => {
        [$((stringify!($limit), |limits, value| limits.$limit = value.into(), &$values)),*]
    };
}

const ROWS: [Row; 14] = rows! {
    max_compute_invocations_per_workgroup: [1, 7, 255],
    max_compute_workgroup_size_x: [1, 31],
    max_compute_workgroup_size_y: [1],
    max_compute_workgroup_storage_size: [0, 2048, 16_383],
    max_compute_workgroups_per_dimension: [1, 2],
    max_storage_buffers_per_shader_stage: [0, 4, 7],
    max_uniform_buffers_per_shader_stage: [0, 1],
    max_storage_buffer_binding_size: [4, 1596],
    max_uniform_buffer_binding_size: [4, 28],
    max_buffer_size: [4, 1596],
    max_bind_groups: [0, 1],
    max_bindings_per_bind_group: [0, 4, 8],
    min_uniform_buffer_offset_alignment: [4096],
    min_storage_buffer_offset_alignment: [4096],
};

/// Subjects of few kernels for each device, and more for a device with a whole set of limits.
const FEW: [&str; 3] = ["match", "bin_pieces", "root_fix"];
const MORE: [&str; 6] = ["match", "compact", "bin", "bin_pieces", "root_fix", "host_clips"];

/// Limit x value x subject.
pub(crate) fn run(lab: &Lab, table: &mut Table<'_>) {
    for (name, set, values) in ROWS {
        for value in values {
            let mut limits = lab.limits();
            set(&mut limits, *value);
            on_a_device(lab, table, &format!("{name}_{value}"), limits, &FEW);
        }
    }
    let sets = [
        ("webgpu", Limits::default()),
        ("downlevel", Limits::downlevel_defaults()),
        ("webgl2", Limits::downlevel_webgl2_defaults()),
    ];
    for (name, limits) in sets {
        on_a_device(lab, table, name, limits, &MORE);
    }
}

fn on_a_device(lab: &Lab, table: &mut Table<'_>, limit: &str, limits: Limits, names: &[&str]) {
    let start = format!("limits/{limit}/");
    if !table.wants(&start) {
        return;
    }
    let gpu = lab.device_with(limits);
    let device = || gpu.as_ref().map_err(Clone::clone);
    table.case(&format!("{start}compute"), Expect::Either, || compute(device()?));
    for (name, build) in subjects::ALL.into_iter().filter(|(name, _)| names.contains(name)) {
        table.case(&format!("{start}{name}"), Expect::Either, || {
            let gpu = device()?;
            bench::run(gpu, &build(&gpu.device)?)
        });
    }
}

/// The whole stage, with what it chooses for such a device.
fn compute(gpu: &Gpu) -> Ending {
    let stream = random_scene(16, 500, 40);
    let found = treebounds::compute(&gpu.device, &gpu.queue, &stream)?;
    bench::right_if(found == reference::bounds(&stream))
}
