// bin_pieces: the lists of all bins, each in a piece for each WORKGROUP_SIZE elements.
//
// A workgroup has a batch of WORKGROUP_SIZE elements and a window of bins; mostly one window covers them all. A thread has an
// element, and then a bin.
//
//     mark the bins that each element touches (lib/bin_batch)
//     a thread a bin:    count = elements of the batch that touch it
//                        places[bin] = atomicAdd(entries of the workgroup, count)
//     one thread:        first = atomicAdd(entries of all workgroups, entries of the workgroup)
//     a thread a bin:    headers[batch, bin] = (first + places[bin], count); (0, 0) where the workgroup's entries do not fit
//     entries[first + places[bin] + rank] = element, for each element and bin
//     the workgroup that was served last:  status
//
// Which was last? Between workgroups, WGSL orders the operations on one atomic, and no others. So one atomic counts both: a
// workgroup adds its entries and `arrival`, a power of two above all entries. The workgroup that finds all others counted
// knows the sum, and sets the atomic to 0 for the next run. Its own addition may wrap: nothing reads that sum. Where a word
// does not hold all other additions, `arrival` is 0, and a dispatch of its own, bin_status, writes the status and sets the 0.
//
// In bounds: entries are stored where the sum fits the capacity; headers are as many as batches times bins. Entries are
// below 2^32: BinPieces lets in no more elements times bins.
//
// Reads the box of an element for each window, 16 bytes; writes a word an entry, and two a bin of each batch.

import package::lib::bin_batch;
import package::lib::bin_grid::{element_count, touched_bins};
import package::lib::bin_status::write_status;
import package::lib::threads::{Local, Workgroup, thread_index, workgroup_index};
import package::layout::{BinPlan, BinStatus, Params};
import package::constants::WORKGROUP_SIZE;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(19) var<uniform> bin: BinPlan;
// The box of each element.
@group(0) @binding(11) var<storage, read> bounds: array<vec4<f32>>;
@group(0) @binding(20) var<storage, read_write> bin_status: BinStatus;
// Where each piece of each list begins, and how long it is: batch after batch, all bins in each.
@group(0) @binding(21) var<storage, read_write> bin_headers: array<vec2<u32>>;
// The elements of all pieces.
@group(0) @binding(22) var<storage, read_write> bin_entries: array<u32>;
// What all workgroups add to; 0 between runs.
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
        // Without any batch there is one workgroup all the same.
        if group == 0u && thread == 0u {
            write_status(0u);
        }
        return;
    }
    let window_corner = bin_batch::window_corner(group % per_batch, windows);
    let element = batch * WORKGROUP_SIZE + thread;
    var box = vec4<f32>(0.0);
    if element < element_count() {
        box = bounds[element];
    }
    // The box is still being loaded; the lines up to its first use do not need it.
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

// How many entries the workgroups have that were served before.
fn arrive(own: u32, workgroups: u32) -> u32 {
    let before = atomicAdd(&bin_total, own + bin.arrival);
    // With an arrival of 0 the mask has all bits.
    let entries = before & (bin.arrival - 1u);
    if bin.arrival != 0u && before / bin.arrival == workgroups - 1u {
        atomicStore(&bin_total, 0u);
        write_status(entries + own);
    }
    return entries;
}
