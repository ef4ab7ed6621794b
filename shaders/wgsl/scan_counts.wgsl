// scan_counts: counts the markers before each tile of count_markers. It runs if there are too many tiles for
// compact_markers to sum the counts itself.
//
//     workgroup  all tiles: there is a single workgroup
//     thread     a sequence of consecutive tiles
//
//     counted[tile] = markers of all earlier tiles: an exclusive scan, in place

import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::lib::chunks::thread_of;
import package::lib::elements::tile_count;
import package::lib::sums::sum_before;
import package::layout::{Params, TreePlan};
import package::constants::WORKGROUP_SIZE;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> plan: TreePlan;
@group(0) @binding(15) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    if workgroup_index(workgroup) > 0u {
        return;
    }
    let t = thread_of(workgroup, local);
    let tiles = tile_count();
    let per_thread = (tiles + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
    let first = min(t.index * per_thread, tiles);
    let end = min(first + per_thread, tiles);
    var markers = 0u;
    for (var tile = first; tile < end; tile++) {
        markers += words[plan.counted + tile];
    }
    // Lanes have reconverged after the loop (lib/chunks.wgsl).
    var before = sum_before(t, markers);
    for (var tile = first; tile < end; tile++) {
        let own = words[plan.counted + tile];
        words[plan.counted + tile] = before;
        before += own;
    }
}
