// filter_scan: where the entries of each tile go in the streams of levels, and how long these streams are.
//
//     workgroup  one row of filter_count: a level, or the elements with too many filters around them
//     thread     a sequence of consecutive tiles
//
//     counted[row][tile] = the sum over all tiles before it: an exclusive scan, in place
//     the params of the level = its viewport and the number of its entries, and how many elements the scene has
//     of a scene, the status says whether an element has too many filters around it
//
// In bounds: the dispatch has filters.depth + 2 workgroups, one for each row, and tiles are below filters.tiles.

import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::lib::chunks::thread_of;
import package::lib::rect::EVERYTHING;
import package::lib::sums::sum_before;
import package::layout::{Counts, FilterPlan, Params};
import package::constants::{FILTER_PARAMS, STATUS_FILTERS_TOO_DEEP, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(40) var<uniform> filters: FilterPlan;
@if(scene) @group(0) @binding(3) var<storage, read_write> counts: Counts;
// The params of each level, FILTER_PARAMS vectors apart.
@group(0) @binding(43) var<storage, read_write> filter_params: array<vec4<u32>>;
@group(0) @binding(44) var<storage, read_write> filter_words: array<u32>;

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
    let first = min(t.index * per_thread, tiles);
    let end = min(first + per_thread, tiles);
    var own = 0u;
    for (var tile = first; tile < end; tile++) {
        own += filter_words[start + tile];
    }
    // Lanes have met again after the loop (reconvergence, lib/chunks.wgsl).
    var before = sum_before(t, own);
    if t.index == WORKGROUP_SIZE - 1u {
        finish(row, before + own, elements);
    }
    for (var tile = first; tile < end; tile++) {
        let count = filter_words[start + tile];
        filter_words[start + tile] = before;
        before += count;
    }
}

fn finish(row: u32, entries: u32, elements: u32) {
    if row <= filters.depth {
        let viewport = select(EVERYTHING, params.viewport, row == 0u);
        filter_params[FILTER_PARAMS * row] = bitcast<vec4<u32>>(viewport);
        filter_params[FILTER_PARAMS * row + 1u] =
            vec4<u32>(min(entries, filters.entry_capacity), elements, 0u, 0u);
    }
    @if(scene) {
        if row > filters.depth && entries > 0u {
            counts.status |= STATUS_FILTERS_TOO_DEEP;
        }
    }
}
