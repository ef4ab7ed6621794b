// bin_emit: writes the lists of the children. This is the downsweep of a level.
//
//     workgroup  one segment, in batches of WORKGROUP_SIZE items, and one window of children. A single window covers up to
//                16 x 16 children
//     thread     one item of a batch; then every WORKGROUP_SIZE-th child of the window
//
//     places[child] = index in bin_entries of the segment's first item in the child's list
//     for each batch:
//         mark the children that its items touch, count the items of each child
//         entries[places[child] + rank] = element, for each item and child (lib/bin_batch)
//         places[child] += items of the batch that touch the child
//
// In bounds: every place is below the sum of all totals. If this sum exceeds the capacity, find_places() returns false, and
// nothing is written. Each segment below segment_count() has a row of the matrix. Windows cover the fan, and no item touches
// a child outside it.
//
// Reads, for each window, 12 bytes per item (8 on the first level) and one word per child and segment. With `near`,
// every workgroup reads the whole matrix. Writes one word per entry.

import package::lib::bin_batch;
import package::lib::bin_segment::{segment_at, segment_count, item_element, load_range, touched_children};
import package::lib::bin_level::{BinSegments, child_coords, children_per_cell, unpack_coords};
import package::lib::bin_status::write_status;
import package::lib::threads::{Local, Workgroup, thread_index, workgroup_index};
import package::layout::{BinPlan, BinStatus, Params};
import package::constants::{NONE, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(19) var<uniform> bin: BinPlan;
@if(near) @group(0) @binding(20) var<storage, read_write> bin_status: BinStatus;
// The start and length of each bin's list.
@if(near) @group(0) @binding(21) var<storage, read_write> bin_headers: array<vec2<u32>>;
// The lists of the children: the entries on the last level, otherwise the items of the next level.
@group(0) @binding(22) var<storage, read_write> bin_entries: array<u32>;
// The bins that each element touches, as bin_count packs them.
@group(0) @binding(28) var<storage, read_write> bin_ranges: array<vec2<u32>>;
// matrix[segment][child]: the place of the segment's items in the child's list; with `near`, the number of these items.
@group(0) @binding(29) var<storage, read_write> bin_matrix: array<u32>;
// This level's segments. Not read on the first level.
@group(0) @binding(33) var<storage, read> bin_segments: BinSegments;
// The next level's segments.
@if(!near) @group(0) @binding(34) var<storage, read> bin_next: BinSegments;
// The elements of this level's items. Not read on the first level.
@group(0) @binding(35) var<storage, read_write> bin_items: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let group = workgroup_index(workgroup);
    let thread = thread_index(workgroup, local);
    let windows = bin_batch::windows_over(vec2<u32>(bin.fan_x, bin.fan_y));
    let per_segment = windows.x * windows.y;
    let segment_index = group / per_segment;
    if segment_index >= segment_count() {
        return;
    }
    let window_corner = bin_batch::window_corner(group % per_segment, windows);
    if !find_places(segment_index, window_corner, thread) {
        return;
    }
    let segment = segment_at(segment_index);
    for (var first = segment.start; first < segment.end; first += WORKGROUP_SIZE) {
        let item = first + thread;
        var element = NONE;
        var touched = vec4<u32>(0u);
        if item < segment.end {
            element = item_element(item);
            let children = touched_children(load_range(element), unpack_coords(segment.corner));
            touched = bin_batch::children_in_window(children, window_corner);
        }
        bin_batch::clear(thread);
        workgroupBarrier();
        bin_batch::mark(thread, element, touched);
        workgroupBarrier();
        for (var child = thread; child < bin_batch::window_children(); child += WORKGROUP_SIZE) {
            _ = bin_batch::count(child);
        }
        workgroupBarrier();
        bin_batch::write(thread, touched, 0u);
        workgroupBarrier();
        for (var child = thread; child < bin_batch::window_children(); child += WORKGROUP_SIZE) {
            atomicAdd(&bin_batch::places[child], bin_batch::counted(child));
        }
        workgroupBarrier();
    }
}

// Loads the places that bin_scan has stored in the matrix. Returns whether the entries fit; if not, bin_scan has left
// `items` at 0.
@if(!near)
fn find_places(segment_index: u32, window_corner: vec2<u32>, thread: u32) -> bool {
    for (var child = thread; child < bin_batch::window_children(); child += WORKGROUP_SIZE) {
        let coords = window_corner + bin_batch::window_coords(child);
        if coords.x < bin.fan_x && coords.y < bin.fan_y {
            let in_cell = coords.y * bin.fan_x + coords.x;
            atomicStore(&bin_batch::places[child], bin_matrix[segment_index * children_per_cell() + in_cell]);
        }
    }
    return bin_next.items > 0u;
}

// With few segments and one window of bins, there is no bin_scan: every workgroup sums the matrix itself. Returns whether
// the entries fit.
//
//     each thread processes one bin and some of the segments:
//         totals[bin] += items of these segments, places[bin] += items of the segments before the workgroup's
//     a list starts at the end of the lists of earlier bins
//
// Sums are below 2^32: segments * segments * bins is at most 2^20, and there are at most 2^8 bins (BinLayout). So
// segments * bins is at most sqrt(2^28) = 2^14. A segment has at most 2^15 items (1,024 threads with 32 items each), so there
// are at most 2^29 entries. Totals are stored in `hits`, which later contains the bitmaps.
@if(near)
fn find_places(segment_index: u32, window_corner: vec2<u32>, thread: u32) -> bool {
    let bins = children_per_cell();
    for (var child = thread; child < bin_batch::CHILDREN; child += WORKGROUP_SIZE) {
        atomicStore(&bin_batch::hits[child], 0u);
        atomicStore(&bin_batch::places[child], 0u);
    }
    workgroupBarrier();
    let parts = max(WORKGROUP_SIZE / bins, 1u);
    for (var at = thread; at < parts * bins; at += WORKGROUP_SIZE) {
        let child = at % bins;
        var total = 0u;
        var before = 0u;
        for (var other = at / bins; other < segment_count(); other += parts) {
            let count = bin_matrix[other * bins + child];
            total += count;
            before += select(0u, count, other < segment_index);
        }
        atomicAdd(&bin_batch::hits[child], total);
        atomicAdd(&bin_batch::places[in_window(child)], before);
    }
    workgroupBarrier();
    for (var child = thread; child < bins; child += WORKGROUP_SIZE) {
        var start = 0u;
        for (var other = 0u; other < child; other++) {
            start += atomicLoad(&bin_batch::hits[other]);
        }
        let total = atomicLoad(&bin_batch::hits[child]);
        atomicAdd(&bin_batch::places[in_window(child)], start);
        if child == bins - 1u {
            all_needed = start + total;
        }
    }
    let needed = workgroupUniformLoad(&all_needed);
    let fits = needed <= bin.entry_capacity;
    if segment_index == 0u {
        // The places of the first segment are the starts of the lists.
        for (var child = thread; child < bins; child += WORKGROUP_SIZE) {
            let start = atomicLoad(&bin_batch::places[in_window(child)]);
            let total = atomicLoad(&bin_batch::hits[child]);
            bin_headers[child] = select(vec2<u32>(0u), vec2<u32>(start, total), fits);
        }
        if thread == 0u {
            write_status(needed);
        }
    }
    // Wait until all threads have read the totals, because the bitmaps overwrite them.
    workgroupBarrier();
    return fits;
}

// Converts the index of a child in its cell to its index in the window.
@if(near)
fn in_window(child: u32) -> u32 {
    let coords = child_coords(child);
    return coords.y * bin.window_x + coords.x;
}

// Returns the number of entries of all lists.
@if(near)
var<workgroup> all_needed: u32;
