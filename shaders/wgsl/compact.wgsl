// compact: stream compaction. Stores the number of markers before each element, and the element of each marker.
//
//     workgroup  one tile: COUNT_ROWS * WORKGROUP_SIZE elements after count_markers, WORKGROUP_SIZE for clips alone
//     thread     one element in each row of WORKGROUP_SIZE
//
//     markers_before[element] = markers of earlier tiles + of earlier records and bits of the tile
//     for a marker: marker_elements[markers_before[element]] = element
//
// The thread of the last element stores the counts. Reads 16 bytes per 32 elements. Writes 4 bytes per element and 4 per marker.

import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::lib::{elements, marker_indices, roles};
import package::lib::scratch;
import package::layout::{Counts, Params, TreePlan};
import package::constants::{TILE, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> plan: TreePlan;
@group(0) @binding(3) var<storage, read_write> counts: Counts;
@group(0) @binding(6) var<storage, read_write> markers_before: array<u32>;
@group(0) @binding(7) var<storage, read_write> marker_elements: array<u32>;
@group(0) @binding(15) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let tile = workgroup_index(workgroup);
    // Without elements, the first tile still stores the counts.
    if tile >= max(elements::tile_count(), 1u) {
        return;
    }
    // Without elements, the scratch memory is not initialized, so it is not read.
    var before = 0u;
    if elements::element_count() > 0u {
        @if(scene) before = scratch::markers_before_tile(tile);
        @else before = words[plan.counted + tile];
    }
    for (var at = local.index; at < TILE; at += WORKGROUP_SIZE) {
        let record = roles::load(tile * roles::RECORDS + at / 32u);
        marker_indices::store(tile * TILE + at, before + roles::rank_in(record, at), roles::role_in(record, at) != 0u);
    }
}
