// filter_scan: finds the places of each tile's entries in the streams of the levels, and the lengths of these streams.
//
//     workgroup  one row of filter_count: a level, or the markers of the scene
//     thread     a sequence of consecutive tiles
//
//     counted[row][tile] = the sum over all earlier tiles: an exclusive scan, in place
//     params of the level = its viewport, the number of its entries, and the number of elements of the scene
//     for a scene, also the counts of elements and markers, and the status
//
// In bounds: the dispatch has filters.depth + 2 workgroups, one for each row, and tiles are below filters.tiles.

import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::lib::chunks::thread_of;
import package::lib::filter_entries::HAS_TOO_DEEP;
import package::lib::rect::EVERYTHING;
import package::lib::sums::sum_before;
import package::layout::{Counts, FilterPlan, Params};
import package::constants::{FILTER_PARAMS, STATUS_ELEMENTS_CLAMPED, STATUS_FILTERS_TOO_DEEP, STATUS_MARKERS_CLAMPED};
import package::constants::WORKGROUP_SIZE;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(40) var<uniform> filters: FilterPlan;
@if(scene) @group(0) @binding(3) var<storage, read_write> counts: Counts;
// The params of each level, FILTER_PARAMS vectors apart.
@group(0) @binding(43) var<storage, read_write> filter_params: array<vec4<u32>>;
@group(0) @binding(44) var<storage, read_write> filter_words: array<u32>;

// HAS_TOO_DEEP if it is set in any tile of the row.
var<workgroup> too_deep: atomic<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let row = workgroup_index(workgroup);
    if row > filters.depth + 1u {
        return;
    }
    let t = thread_of(workgroup, local);
    let elements = min(params.elements, filters.element_capacity);
    let tiles = (elements + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
    let per_thread = (tiles + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
    let start = filters.counted + row * filters.tiles;
    if t.index == 0u {
        atomicStore(&too_deep, 0u);
    }
    workgroupBarrier();
    let first = min(t.index * per_thread, tiles);
    let end = min(first + per_thread, tiles);
    var own = 0u;
    for (var tile = first; tile < end; tile++) {
        let count = filter_words[start + tile];
        own += count & ~HAS_TOO_DEEP;
        atomicOr(&too_deep, count & HAS_TOO_DEEP);
    }
    // Lanes have reconverged after the loop (lib/chunks.wgsl).
    var before = sum_before(t, own);
    if t.index == WORKGROUP_SIZE - 1u {
        finish(row, before + own, elements);
    }
    for (var tile = first; tile < end; tile++) {
        let count = filter_words[start + tile] & ~HAS_TOO_DEEP;
        filter_words[start + tile] = before;
        before += count;
    }
}

// Stores the params of a level, or the counts. Called by one thread, after the barrier in sum_before(). `sum` is over all
// tiles.
fn finish(row: u32, sum: u32, elements: u32) {
    if row <= filters.depth {
        let viewport = select(EVERYTHING, params.viewport, row == 0u);
        filter_params[FILTER_PARAMS * row] = bitcast<vec4<u32>>(viewport);
        filter_params[FILTER_PARAMS * row + 1u] =
            vec4<u32>(min(sum, filters.entry_capacity), elements, 0u, 0u);
    }
    @if(scene) {
        if row > filters.depth {
            counts.elements = elements;
            counts.markers = min(sum, filters.marker_capacity);
            counts.markers_needed = sum;
            counts.status = select(0u, STATUS_ELEMENTS_CLAMPED, params.elements > filters.element_capacity)
                | select(0u, STATUS_MARKERS_CLAMPED, sum > filters.marker_capacity)
                | select(0u, STATUS_FILTERS_TOO_DEEP, atomicLoad(&too_deep) != 0u);
        }
    }
}
