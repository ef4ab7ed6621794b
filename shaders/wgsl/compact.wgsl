// compact: stream compaction. It stores how many markers precede each element, and which element each marker is.
//
//     workgroup  one tile: of count_markers, COUNT_ROWS * WORKGROUP_SIZE elements; of a scene (clips alone), WORKGROUP_SIZE
//     thread     one element in each row of WORKGROUP_SIZE
//
//     markers_before[element] = markers of earlier tiles + of earlier records and bits of the tile
//     for a marker: marker_elements[markers_before[element]] = element
//
// The thread of the last element stores the counts. Reads 16 bytes for 32 elements, writes 4 per element and 4 per
// marker.

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
    // If there are no elements, the first tile still stores the counts.
    if tile >= max(elements::tile_count(), 1u) {
        return;
    }
    // If there are no elements, no earlier kernel has stored anything.
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
