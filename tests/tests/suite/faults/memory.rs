//! Too little memory: devices with small buffers, and capacities that grow until each allocation fails.

use crate::faults::bench::Bench;
use crate::faults::lab::Lab;
use crate::faults::subject::Subject;
use crate::faults::subjects::some;
use crate::faults::table::{Ending, Expect, Table, made};
use treebounds::treebounds_core::BinGrid;
use treebounds::{
    BinCapacity, Bins, Capacity, Gpu, Inputs, NodeOutputs, Outputs, PieceBinner, wgpu,
};

/// Bytes of the largest buffer.
const LARGEST: u32 = 1 << 16;

/// A limit, and how it is made that small.
type Small = (&'static str, fn(&mut wgpu::Limits));

const LIMITS: [Small; 2] = [
    ("max_buffer_size", |limits| limits.max_buffer_size = LARGEST.into()),
    ("max_storage_buffer_binding_size", |limits| {
        limits.max_storage_buffer_binding_size = LARGEST.into();
    }),
];

/// Subjects of few kernels.
const FEW: [&str; 3] = ["match", "compact", "bin"];

/// Elements that all buffers have room for; then boxes, words and what is smaller are too many, one after the other, up to
/// what 32 bits do not count.
const ROOMS: [u32; 9] =
    [750, 4096, 4097, 10_000, 16_384, 16_385, 70_000, 3_000_000, u32::MAX - 100];

/// Limit x subject x capacity x what is allocated first.
pub(crate) fn run(lab: &Lab, table: &mut Table<'_>) {
    for (limit, set) in LIMITS {
        let mut limits = lab.limits();
        set(&mut limits);
        let gpu = lab.device_with(limits).unwrap();
        // Kernels take long to compile. A few subjects show that the other limit is respected too.
        let is_first = limit == LIMITS[0].0;
        let wanted = |name: &str| table.wants(name) && (is_first || FEW.contains(&name));
        for (name, subject) in some(&gpu.device, wanted) {
            for room in ROOMS {
                for (order, scratch_first) in [("buffers_first", false), ("scratch_first", true)] {
                    let case = format!("{name}/memory/{limit}/room_for_{room}/{order}");
                    table.case(&case, expected(room), || {
                        allocate(&gpu, &subject, room, scratch_first)
                    });
                }
            }
        }
        constructors(&gpu, limit, table);
    }
}

fn expected(room: u32) -> Expect<'static> {
    match room {
        0..=750 => Expect::Right,
        751..70_000 => Expect::Either,
        _ => Expect::Refused(&["TooLarge", "TooMany"], ""),
    }
}

/// Allocates everything with room for this many elements, and if that works, runs.
fn allocate(gpu: &Gpu, subject: &Subject, room: u32, scratch_first: bool) -> Ending {
    let early = if scratch_first { Some((subject.scratch)(room, None)?) } else { None };
    let bench = Bench::with(gpu, subject, room)?;
    let scratch = early.map_or_else(|| bench.scratch(), Ok)?;
    bench.finish(&bench.bind_with(&scratch)?)
}

/// The functions that make the caller's buffers.
fn constructors(gpu: &Gpu, limit: &str, table: &mut Table<'_>) {
    let device = &gpu.device;
    let pieces = PieceBinner::new(device, &Default::default()).unwrap();
    let grid = BinGrid::new(1024, 768).unwrap();
    for room in ROOMS {
        let capacity = Capacity { elements: room, markers: room };
        let bins = BinCapacity { elements: room, entries: room };
        let markers_alone = Capacity { elements: 1, markers: room };
        let mut case = |name: &str, made: Ending| {
            let case = format!("{name}/memory/{limit}/room_for_{room}");
            table.case(&case, expected(room), || made);
        };
        case("inputs_new", made(Inputs::new(device, capacity)));
        case("outputs_new", made(Outputs::new(device, capacity)));
        case("outputs_new_of_markers", made(Outputs::new(device, markers_alone)));
        case("node_outputs_new", made(NodeOutputs::new(device, room)));
        case("bins_new", made(Bins::new(device, &grid, room)));
        case("bin_pieces_buffers", made(pieces.buffers(bins, &grid)));
    }
}
