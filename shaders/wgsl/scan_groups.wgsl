// scan_groups: computes the products of the values that grow up, over each bundle and over the bundles of a group up to each
// one. It runs after resolve, if there are more bundles than a workgroup has threads.
//
//     workgroup  one group
//     thread     one bundle
//     chunk      scans its bundles
//
//     product of the bundle = product of its tiles, which resolve has stored
//     prefix of the bundle  = product of the group's bundles up to it: an inclusive scan
//
// Reads one value per tile. Writes two per bundle.

import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::lib::chunks::{rounds, thread_of, value};
import package::lib::{scratch, shared, tile_products};
import package::value::{Value, up_combine, up_identity};
import package::layout::{Counts, Params, TreePlan};
import package::constants::WORKGROUP_SIZE;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> plan: TreePlan;
@if(few_markers) @group(0) @binding(52) var<uniform> frame_counts: Counts;
@group(0) @binding(15) var<storage, read_write> words: array<u32>;
@group(0) @binding(16) var<storage, read_write> values: array<Value>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let group = workgroup_index(workgroup);
    if group >= scratch::group_count() {
        return;
    }
    let t = thread_of(workgroup, local);
    let bundle = group * WORKGROUP_SIZE + t.index;
    let own = tile_products::of_bundle(bundle);
    var prefix = own;
    // The loops in of_bundle() are shorter for the last bundle. Lanes have reconverged after them (lib/chunks.wgsl).
    for (var round = 0u; round < rounds(t); round++) {
        let width = 1u << round;
        let before = value(t, prefix, select(t.lane, t.lane - width, t.lane >= width));
        if t.lane >= width {
            prefix = up_combine(before, prefix);
        }
    }
    if t.lane == t.lanes - 1u {
        shared::store(t.chunk, prefix);
    }
    workgroupBarrier();
    var before = up_identity();
    for (var chunk = 0u; chunk < t.chunk; chunk++) {
        before = up_combine(before, shared::load(chunk));
    }
    if bundle < scratch::bundle_count() {
        tile_products::bundle_store(bundle, own, up_combine(before, prefix));
    }
}
