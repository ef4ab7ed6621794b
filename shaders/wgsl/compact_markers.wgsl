// compact_markers: stream compaction of a scene with few markers. Stores the element of each marker, and the compacted
// stream (lib/posts.wgsl).
//
//     workgroup  WORKGROUP_SIZE records of 32 elements
//     thread     one record; then every WORKGROUP_SIZE-th marker of the workgroup's records
//
//     before = markers of earlier tiles + of earlier records of the tile (count_markers); stored in the record
//     the separator of the record's block is the post with index `before` + the record's number
//     for each marker of the workgroup: find its record by binary search. Neighbouring threads store neighbouring markers.
//
// Markers beyond the capacity are omitted, and `counts` reports this. The thread of the last record stores the last
// separator and two copies of the counts. Later kernels read one of them, `frame_counts`, as a uniform.
//
// Reads 16 bytes per 32 elements. Writes 8 bytes per 32 elements, and 8 per marker.

import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::lib::{posts, marker_indices, roles};
import package::lib::bits::{place_from_bottom, lowest_ones};
import package::lib::elements::element_count;
import package::lib::roles::Roles;
import package::layout::{Counts, Params, TreePlan};
import package::constants::{COUNT_ROWS, NONE, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> plan: TreePlan;
@group(0) @binding(3) var<storage, read_write> counts: Counts;
@group(0) @binding(52) var<storage, read_write> frame_counts: Counts;
@group(0) @binding(7) var<storage, read_write> marker_elements: array<u32>;
@group(0) @binding(15) var<storage, read_write> words: array<u32>;

// For each record of the workgroup: the number of markers before it (NONE past the last record), and its roles without the
// markers beyond the capacity.
var<workgroup> before_records: array<u32, WORKGROUP_SIZE>;
var<workgroup> records: array<Roles, WORKGROUP_SIZE>;

const RECORDS_PER_TILE = COUNT_ROWS * WORKGROUP_SIZE / 32u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let first = workgroup_index(workgroup) * WORKGROUP_SIZE;
    if first >= record_count() {
        return;
    }
    let thread = local.index;
    // Threads past the last record participate in the sum.
    let record = min(first + thread, record_count() - 1u);
    let before_tile = markers_before_tile(first / RECORDS_PER_TILE, record / RECORDS_PER_TILE, thread);
    if element_count() == 0u {
        if thread == 0u {
            words[plan.posts] = posts::pack(0u, 0u);
            frame_counts = marker_indices::store_counts(0u, false);
        }
        return;
    }
    let exists = first + thread == record;
    var own = Roles(0u, 0u, 0u, 0u);
    if exists {
        own = roles::load(record);
    }
    let markers = countOneBits(own.markers);
    let before = before_tile + own.markers_before;
    own.markers_before = min(before, plan.marker_capacity);
    own.markers = lowest_ones(own.markers, min(plan.marker_capacity - own.markers_before, 32u));
    own.opens &= own.markers;
    if exists {
        roles::store(record, own);
        words[plan.posts + own.markers_before + record] = posts::pack(32u * record, 0u);
        if 32u * record + 32u >= element_count() {
            let last = own.markers_before + countOneBits(own.markers) + record + 1u;
            words[plan.posts + last] = posts::pack(32u * (record + 1u), 0u);
            frame_counts = marker_indices::store_counts(before + markers, false);
        }
    }
    before_records[thread] = select(NONE, own.markers_before, exists);
    records[thread] = own;
    workgroupBarrier();

    let last = min(WORKGROUP_SIZE, record_count() - first) - 1u;
    let end = before_records[last] + countOneBits(records[last].markers);
    for (var marker = before_records[0] + thread; marker < end; marker += WORKGROUP_SIZE) {
        store_marker(first, marker);
    }
}

// Stores one marker of the workgroup's records, which start at `first`. The marker is below the capacity.
fn store_marker(first: u32, marker: u32) {
    var at = 0u;
    for (var step = WORKGROUP_SIZE / 2u; step > 0u; step /= 2u) {
        if before_records[at + step] <= marker {
            at += step;
        }
    }
    let place = place_from_bottom(records[at].markers, marker - before_records[at]);
    let element = 32u * (first + at) + place;
    marker_elements[marker] = element;
    words[plan.posts + marker + first + at + 1u] = posts::pack(element, roles::role_in(records[at], place));
}

// Returns the number of records. It is at least 1: without elements, the thread of record 0 still stores the counts.
fn record_count() -> u32 {
    return max((element_count() + 31u) / 32u, 1u);
}

// Returns the number of markers before a tile of count_markers. `first` is the tile of the workgroup's first record. All
// threads call it.
@if(groups)
fn markers_before_tile(first: u32, tile: u32, thread: u32) -> u32 {
    return words[plan.counted + tile];
}

// With few tiles, each workgroup sums the counts itself, which saves a dispatch.
@if(!groups)
fn markers_before_tile(first: u32, tile: u32, thread: u32) -> u32 {
    if thread == 0u {
        atomicStore(&counted_earlier, 0u);
    }
    workgroupBarrier();
    var markers = 0u;
    for (var other = thread; other < first; other += WORKGROUP_SIZE) {
        markers += words[plan.counted + other];
    }
    atomicAdd(&counted_earlier, markers);
    workgroupBarrier();
    var before = atomicLoad(&counted_earlier);
    for (var other = first; other < tile; other++) {
        before += words[plan.counted + other];
    }
    return before;
}

@if(!groups) var<workgroup> counted_earlier: atomic<u32>;
