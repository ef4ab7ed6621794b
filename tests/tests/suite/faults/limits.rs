//! Tests every relevant limit, at its lowest value and just below the requirement, and insufficient memory: devices with
//! small buffers, and capacities that grow until each allocation fails.

use crate::faults::bench::{self, Bench, Subject};
use crate::faults::subjects::{self, builds};
use crate::faults::table::{Outcome, Table, made, right_if};
use treebounds::{
    BinCapacity, Bins, Capacity, Gpu, Inputs, NodeOutputs, Outputs, PieceBinner, compute, wgpu,
};
use treebounds_core::{BinGrid, reference};
use treebounds_tests::streams::random_scene;
use wgpu::Limits;

/// A limit and its value, a function that sets it, and the expected outcomes.
pub(crate) type Row<Ends> = (&'static str, fn(&mut Limits), Ends);

macro_rules! rows {
    ($($limit:ident $value:literal: $ends:expr,)*) => {
        [$((concat!(stringify!($limit), "_", $value), |limits| limits.$limit = $value, $ends)),*]
    };
}
pub(crate) use rows;

const RIGHT: &str = "right";
const LACKS: &str = "DeviceLacks";
const LARGE: &str = "TooLarge";

/// Limits below the needs of a kernel, each with the outcomes for four subjects: the whole stage, which chooses other
/// kernels for such a device, and `match`, `bin_pieces` and `root_fix`, which have few kernels.
const ROWS: [Row<[&str; 4]>; 29] = rows! {
    max_compute_invocations_per_workgroup 1: ["Variant", LACKS, LACKS, LACKS],
    max_compute_invocations_per_workgroup 7: [RIGHT, LACKS, LACKS, LACKS],
    max_compute_invocations_per_workgroup 255: [RIGHT; 4],
    max_compute_workgroup_size_x 1: ["Variant", LACKS, LACKS, LACKS],
    max_compute_workgroup_size_x 31: [RIGHT, RIGHT, RIGHT, LACKS],
    max_compute_workgroup_size_y 1: [RIGHT; 4],
    max_compute_workgroup_storage_size 0: [LACKS; 4],
    max_compute_workgroup_storage_size 2048: [RIGHT, RIGHT, LACKS, LACKS],
    max_compute_workgroup_storage_size 16383: [RIGHT; 4],
    max_compute_workgroups_per_dimension 1: [RIGHT, RIGHT, LARGE, LARGE],
    max_compute_workgroups_per_dimension 2: [RIGHT, RIGHT, LARGE, RIGHT],
    max_storage_buffers_per_shader_stage 0: [LACKS; 4],
    max_storage_buffers_per_shader_stage 4: [LACKS, LACKS, LACKS, RIGHT],
    max_storage_buffers_per_shader_stage 7: [RIGHT; 4],
    max_uniform_buffers_per_shader_stage 0: [LACKS; 4],
    max_uniform_buffers_per_shader_stage 1: [LACKS; 4],
    max_storage_buffer_binding_size 4: [LARGE; 4],
    max_storage_buffer_binding_size 1596: [LARGE, RIGHT, LARGE, LARGE],
    max_uniform_buffer_binding_size 4: ["Device"; 4],
    max_uniform_buffer_binding_size 28: ["Device"; 4],
    max_buffer_size 4: [LARGE; 4],
    max_buffer_size 1596: [LARGE, RIGHT, LARGE, LARGE],
    max_bind_groups 0: ["Kernel"; 4],
    max_bind_groups 1: [RIGHT; 4],
    max_bindings_per_bind_group 0: ["Kernel"; 4],
    max_bindings_per_bind_group 4: ["Kernel"; 4],
    max_bindings_per_bind_group 8: ["Kernel"; 4],
    min_uniform_buffer_offset_alignment 4096: [RIGHT; 4],
    min_storage_buffer_offset_alignment 4096: [RIGHT; 4],
};

/// Combinations of limits, and too few storage buffers for a host. The outcomes are for the subjects of `ROWS`, and
/// for
/// `compact`, `bin` and `host_clips`.
const SETS: [Row<[&str; 7]>; 4] = [
    (
        "max_storage_buffers_per_shader_stage_3",
        |limits| limits.max_storage_buffers_per_shader_stage = 3,
        [LACKS, LACKS, LACKS, LACKS, LACKS, LACKS, "Kernel"],
    ),
    ("webgpu", |limits| *limits = Limits::default(), [RIGHT; 7]),
    (
        "downlevel",
        |limits| *limits = Limits::downlevel_defaults(),
        [LACKS, LACKS, LACKS, RIGHT, RIGHT, LACKS, RIGHT],
    ),
    (
        "webgl2",
        |limits| *limits = Limits::downlevel_webgl2_defaults(),
        ["Variant", LACKS, LACKS, LACKS, LACKS, LACKS, "wgpu"],
    ),
];

pub(crate) fn run(table: &mut Table<'_>) {
    let lab = table.lab;
    let names = ["compute", "match", "bin_pieces", "root_fix", "compact", "bin", "host_clips"];
    let rows = ROWS.iter().map(|(limit, set, ends)| (limit, set, &ends[..]));
    let sets = SETS.iter().map(|(limit, set, ends)| (limit, set, &ends[..]));
    for (limit, set, ends) in rows.chain(sets) {
        let cases = names.map(|name| (name, format!("{name}/limits/{limit}")));
        if !cases.iter().any(|(_, case)| table.wants(case)) {
            continue;
        }
        let gpu = lab.device_with(set);
        for ((name, case), expected) in cases.iter().zip(ends) {
            table.case(case, expected, || {
                let gpu = gpu.as_ref().map_err(Clone::clone)?;
                if let Some((_, build)) = builds(|subject| subject == *name).next() {
                    return bench::run(gpu, &build(&gpu.device)?);
                }
                // Few enough elements for one tile on any device with the limits of WebGPU.
                let stream = random_scene(16, 250, 40);
                let found = compute(&gpu.device, &gpu.queue, &stream)?;
                right_if(found == reference::bounds(&stream), "not the reference's answer")
            });
        }
    }
}

const LARGEST: u32 = 1 << 16;

/// The limits on buffer sizes, and whether all subjects run. Because kernels take long to compile, only a few subjects
/// test that the other limit is respected.
const SMALL: [Row<bool>; 2] = [
    ("max_buffer_size", |limits| limits.max_buffer_size = LARGEST.into(), true),
    (
        "max_storage_buffer_binding_size",
        |limits| limits.max_storage_buffer_binding_size = LARGEST.into(),
        false,
    ),
];

/// Numbers of elements. With the first, all buffers are within the limits. With larger ones, the buffers of boxes
/// become too large, then the buffers of words and of smaller values, until 32 bits cannot count the elements.
const ROOMS: [u32; 9] =
    [750, 4096, 4097, 10_000, 16_384, 16_385, 70_000, 3_000_000, u32::MAX - 100];

/// Returns the expected outcome for this capacity. `counts` means that the number of elements is checked before
/// anything is allocated.
fn expected(name: &str, room: u32, counts: bool) -> &'static str {
    let most = match name {
        "match" | "match_roles" | "match_bits" | "bins_new" | "bin_pieces_buffers" => 16_384,
        "brackets" | "compact" => 4097,
        "damage" | "inputs_new" | "outputs_new" | "outputs_new_of_markers" | "node_outputs_new" => {
            4096
        }
        _ => 750,
    };
    match room {
        _ if room <= most => RIGHT,
        _ if counts && room > 3_000_000 => "TooMany",
        _ => LARGE,
    }
}

/// Runs every combination of limit, subject, capacity and allocation order, and the functions that create the caller's
/// buffers.
pub(crate) fn memory(table: &mut Table<'_>) {
    let grid = BinGrid::new(1024, 768).unwrap();
    for (limit, set, all) in SMALL {
        let gpu = table.lab.device_with(set).unwrap();
        let chosen = |name: &str| all || ["match", "compact", "bin"].contains(&name);
        let wanted = |name: &str| table.wants(name) && chosen(name);
        for (name, subject) in subjects::some(&gpu.device, wanted) {
            for (room, first) in
                ROOMS.iter().flat_map(|room| ["buffers", "scratch"].map(|first| (*room, first)))
            {
                let counts = first == "scratch" && !subject.has_scratch::<()>();
                let case = format!("{name}/memory/{limit}/room_for_{room}/{first}_first");
                table.case(&case, expected(name, room, counts), || {
                    allocate(&gpu, &subject, room, first == "scratch")
                });
            }
        }
        let device = &gpu.device;
        let pieces = PieceBinner::new(device, &Default::default()).unwrap();
        for room in ROOMS {
            let capacity = Capacity::all_markers(room);
            let of_markers = Capacity { elements: 1, markers: room, filter_depth: 0 };
            let bins = BinCapacity { elements: room, entries: room };
            for (name, made) in [
                ("inputs_new", made(Inputs::new(device, capacity))),
                ("outputs_new", made(Outputs::new(device, capacity))),
                ("outputs_new_of_markers", made(Outputs::new(device, of_markers))),
                ("node_outputs_new", made(NodeOutputs::new(device, room))),
                ("bins_new", made(Bins::new(device, &grid, room))),
                ("bin_pieces_buffers", made(pieces.buffers(bins, &grid))),
            ] {
                let case = format!("{name}/memory/{limit}/room_for_{room}");
                table.case(&case, expected(name, room, name == "bin_pieces_buffers"), || made);
            }
        }
    }
}

/// Allocates everything for this number of elements, and runs if that succeeds.
fn allocate(gpu: &Gpu, subject: &Subject, room: u32, scratch_first: bool) -> Outcome {
    let early = scratch_first.then(|| (subject.scratch)(room, None)).transpose()?;
    let mut bench = Bench::with(gpu, subject, room)?;
    let scratch = early.map_or_else(|| bench.scratch(), Ok)?;
    let job = bench.bind_with(&scratch)?;
    bench.run(&job, |_, _| {})
}
