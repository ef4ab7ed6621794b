// bin_pieces: writes the lists of all bins in pieces, one piece per WORKGROUP_SIZE elements.
//
//     workgroup  one batch of WORKGROUP_SIZE elements and one window of bins. A single window covers up to 16 x 16 bins
//     thread     one element; then every WORKGROUP_SIZE-th bin of the window
//
//     mark the bins that each element touches (lib/bin_batch)
//     for each bin:      count = elements of the batch that touch it
//                        places[bin] = atomicAdd(entries of the workgroup, count)
//     one thread:        first = atomicAdd(entries of all workgroups, entries of the workgroup)
//     for each bin:      headers[batch, bin] = (first + places[bin], count); (0, 0) if the workgroup's entries do not fit
//     entries[first + places[bin] + rank] = element, for each element and bin
//     the last workgroup to add its entries:  status
//
// Across workgroups, WGSL orders operations on the same atomic, but not on different ones. So one atomic counts both the
// entries and the workgroups: a workgroup adds its entries plus `arrival`, a power of two that exceeds the maximum number
// of entries. The workgroup that finds all others counted is the last. It knows the sum, and resets the atomic to 0 for
// the next run. Its own addition may wrap, because nothing reads that sum. If one word cannot represent the sum of all
// other additions, `arrival` is 0, and another dispatch, bin_status, writes the status and resets the atomic.
//
// So each run relies on the previous run's reset, and an aborted run may leave another value in the atomic. wgpu reports an
// aborted run as a lost device. The atomic belongs to the job, so it is lost too, and a new job starts with 0. If you abort a
// run but keep the device, bind a new job.
//
// In bounds: entries are stored only if the sum fits the capacity; there is one header per batch and bin. The number of
// entries is below 2^32, because PieceBinner rejects larger products of elements and bins.
//
// Reads 16 bytes per element and window. Writes one word per entry, and two per bin and batch.

import package::lib::bin_batch;
import package::lib::bin_grid::{element_count, touched_bins};
import package::lib::bin_status::write_status;
import package::lib::threads::{Local, Workgroup, thread_index, workgroup_index};
import package::layout::{BinPlan, BinStatus, Params};
import package::constants::WORKGROUP_SIZE;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(19) var<uniform> bin: BinPlan;
// The box of each element.
@group(0) @binding(11) var<storage, read> boxes: array<vec4<f32>>;
@group(0) @binding(20) var<storage, read_write> bin_status: BinStatus;
// The start and length of the piece of each batch and bin.
@group(0) @binding(21) var<storage, read_write> bin_headers: array<vec2<u32>>;
// The elements of all pieces.
@group(0) @binding(22) var<storage, read_write> bin_entries: array<u32>;
// The sum of the additions of all workgroups; 0 between runs.
@group(0) @binding(23) var<storage, read_write> bin_total: atomic<u32>;

var<workgroup> own_entries: atomic<u32>;
var<workgroup> entries_before: u32;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let group = workgroup_index(workgroup);
    let thread = thread_index(workgroup, local);
    let grid = vec2<u32>(bin.columns, bin.rows);
    let windows = bin_batch::windows_over(grid);
    let per_batch = windows.x * windows.y;
    let batches = (bin.element_capacity + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
    let batch = group / per_batch;
    if batch >= batches {
        // With a capacity of 0 there are no batches, but a single workgroup still writes the status.
        if group == 0u && thread == 0u {
            write_status(0u);
        }
        return;
    }
    let window_corner = bin_batch::window_corner(group % per_batch, windows);
    let element = batch * WORKGROUP_SIZE + thread;
    var box = vec4<f32>(0.0);
    if element < element_count() {
        box = boxes[element];
    }
    // The memory is cleared while the box is loading.
    bin_batch::clear(thread);
    if thread == 0u {
        atomicStore(&own_entries, 0u);
    }
    let touched = bin_batch::children_in_window(touched_bins(box), window_corner);
    workgroupBarrier();
    bin_batch::mark(thread, element, touched);
    workgroupBarrier();
    for (var child = thread; child < bin_batch::window_children(); child += WORKGROUP_SIZE) {
        atomicStore(&bin_batch::places[child], atomicAdd(&own_entries, bin_batch::count(child)));
    }
    workgroupBarrier();
    let own = atomicLoad(&own_entries);
    if thread == 0u {
        entries_before = arrive(own, batches * per_batch);
    }
    workgroupBarrier();
    let first = entries_before;
    let fits = first + own <= bin.entry_capacity;
    for (var child = thread; child < bin_batch::window_children(); child += WORKGROUP_SIZE) {
        let coords = window_corner + bin_batch::window_coords(child);
        if all(coords < grid) {
            let header = vec2<u32>(first + atomicLoad(&bin_batch::places[child]), bin_batch::counted(child));
            bin_headers[(batch * grid.y + coords.y) * grid.x + coords.x] = select(vec2<u32>(0u), header, fits);
        }
    }
    if fits {
        bin_batch::write(thread, touched, first);
    }
}

// Adds the workgroup and its entries to the atomic. Returns the number of entries that were added before.
fn arrive(own: u32, workgroups: u32) -> u32 {
    let before = atomicAdd(&bin_total, own + bin.arrival);
    // If `arrival` is 0, all bits of the mask are set.
    let entries = before & (bin.arrival - 1u);
    if bin.arrival != 0u && before / bin.arrival == workgroups - 1u {
        atomicStore(&bin_total, 0u);
        write_status(entries + own);
    }
    return entries;
}
