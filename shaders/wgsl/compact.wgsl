// compact: stream compaction: which elements are nodes, and how many nodes come before each element.
//
//     workgroup  a tile: of count_markers COUNT_ROWS * WORKGROUP_SIZE elements; of a scene (clips alone) WORKGROUP_SIZE
//     thread     an element of each row of WORKGROUP_SIZE
//
//     markers_before[element] = nodes of earlier tiles + of earlier records and bits of the tile
//     of a node: marker_elements[that many] = element
//
// The last element's thread stores the counts. Reads 16 bytes for 32 elements, writes 4 an element and 4 a node.

import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::lib::{elements, marker_indices, roles};
@if(scene) import package::lib::scratch;
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
    // The first tile runs even where there is no element: the counts are stored.
    if tile >= max(elements::tile_count(), 1u) {
        return;
    }
    // Of no element nothing has been stored before.
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
