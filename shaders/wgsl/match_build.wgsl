// match_build: builds one level of the pyramid over tiles from the level below (lib/match_tiles).
//
//     workgroup  one node of the new level: the product of its fan_out() children
//     thread     the product of plan.children_per_thread consecutive children
//     subgroup   builds the lowest levels of the tree over the threads, without barriers
//
//     leaf = the product of the thread's children
//     build a tree over the threads (lib/thread_tree)
//     the new node = the root
//
// Reads 2 words per child, and writes 2 per workgroup. There is one dispatch per level above the tiles.

import package::lib::{match_tiles, thread_tree};
import package::lib::threads::{Local, Workgroup, lane_count, thread_index, workgroup_index};
import package::layout::{MatchLevel, MatchPlan, Params};
import package::constants::WORKGROUP_SIZE;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(24) var<uniform> plan: MatchPlan;
@group(0) @binding(2) var<uniform> level: MatchLevel;
@group(0) @binding(25) var<storage, read_write> pyramid: array<vec2<u32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let node = workgroup_index(workgroup);
    let thread = thread_index(workgroup, local);

    var children = match_tiles::count();
    for (var i = 0u; i < level.read; i++) {
        children = match_tiles::parents(children);
    }
    let first = node * match_tiles::fan_out();
    if first >= children {
        return;
    }
    let leaf = match_tiles::load_product(level.read, first + thread * plan.children_per_thread, children);
    thread_tree::build(thread, lane_count(workgroup), leaf);
    if thread == 0u {
        match_tiles::store(level.read + 1u, node, thread_tree::load(1u));
    }
}
