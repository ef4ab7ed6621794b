// count_markers: collects the roles of all elements as bits, in records of 32 elements, and counts the markers before each
// record of a tile. This is the first step of stream compaction.
//
//     workgroup  one tile of COUNT_ROWS * WORKGROUP_SIZE elements
//     thread     four elements in each of COUNT_ROWS / 4 rows
//
//     roles[..]     = the roles as bits, and the markers of the tile before each record: an exclusive scan over the records
//     counted[tile] = markers of the tile
//
// Reads 4 bytes per element. Writes 16 per 32 elements.

import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::lib::chunks::thread_of;
import package::lib::{elements, roles};
import package::lib::elements::element_count;
import package::lib::sums::sum_before;
import package::layout::{Params, TreePlan};
import package::constants::{COUNT_ROWS, ROLE_BEGIN, ROLE_END, ROLE_MASK, TAG_NON_LOCAL, TAG_SPREAD, TILE, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> plan: TreePlan;
@group(0) @binding(12) var<storage, read> tags4: array<vec4<u32>>;
@group(0) @binding(15) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let tile = workgroup_index(workgroup);
    if tile >= elements::tile_count() {
        return;
    }
    let t = thread_of(workgroup, local);
    roles::clear_collected(t.index);
    workgroupBarrier();
    for (var row = 0u; row < COUNT_ROWS / 4u; row++) {
        collect_four(tile, 4u * (row * WORKGROUP_SIZE + t.index));
    }
    workgroupBarrier();
    // COUNT_ROWS is at most 32, so a tile has at most one record per thread.
    var markers = 0u;
    if t.index < roles::RECORDS {
        markers = countOneBits(roles::collected_markers(t.index));
    }
    let before = sum_before(t, markers);
    if t.index < roles::RECORDS {
        roles::store(tile * roles::RECORDS + t.index, roles::collected_record(t.index, before));
    }
    if t.index == WORKGROUP_SIZE - 1u {
        words[plan.counted + tile] = before + markers;
    }
}

// Collects the roles of four elements of the tile, from place `at` on. The buffer is padded to whole vectors; the stream
// may end inside one.
fn collect_four(tile: u32, at: u32) {
    let element = tile * TILE + at;
    let count = element_count();
    let tags = tags4[min(element, count - 1u) / 4u];
    let exists = vec4<u32>(element) + vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(count);
    let role = tags & vec4<u32>(ROLE_MASK);
    let opens = exists & (role == vec4<u32>(ROLE_BEGIN));
    let markers = opens | (exists & (role == vec4<u32>(ROLE_END)));
    // A spread node is never non-local.
    let non_local = opens & ((tags & vec4<u32>(TAG_NON_LOCAL | TAG_SPREAD)) == vec4<u32>(TAG_NON_LOCAL));
    let shift = at % 32u;
    roles::collect_bits(at / 32u, bits_of(opens) << shift, bits_of(markers) << shift, bits_of(non_local) << shift);
}

fn bits_of(four: vec4<bool>) -> u32 {
    return dot(vec4<u32>(four), vec4<u32>(1u, 2u, 4u, 8u));
}
