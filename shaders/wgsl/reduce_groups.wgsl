// reduce_groups: computes the effect of each group on the stack, and the opens of the group's stack that each bundle holds.
// It runs if there are more bundles than a workgroup has threads.
//
//     workgroup  one group: WORKGROUP_SIZE consecutive bundles
//     thread     one bundle
//
//     the stack that the group's bundles leave                                         (lib/siblings.wgsl)
//     bundle[..].held, .above = the number of its opens that the bundle holds, and the number of opens above those
//     below a bundle          = the product that flows to the opens that it holds
//     group[..]               = the product of all bundles
//
// Reads 3 words per bundle. Writes 2 words and one value per bundle.

import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::lib::chunks::thread_of;
import package::lib::{scratch, siblings};
import package::lib::scratch::no_sum;
import package::lib::{down_values, stack_open};
import package::value::{Value, down_identity};
import package::layout::{BUNDLE_ABOVE, BUNDLE_HELD, Counts, Params, TreePlan};
import package::constants::WORKGROUP_SIZE;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> plan: TreePlan;
@if(few_markers) @group(0) @binding(52) var<uniform> frame_counts: Counts;
@group(0) @binding(15) var<storage, read_write> words: array<u32>;
@group(0) @binding(16) var<storage, read_write> values: array<Value>;

// Workgroup memory (lib/shared.wgsl) contains, for each bundle, the product that flows to the opens that it holds.

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let group = workgroup_index(workgroup);
    if group >= scratch::group_count() {
        return;
    }
    let t = thread_of(workgroup, local);
    let bundle = group * WORKGROUP_SIZE + t.index;
    let exists = bundle < scratch::bundle_count();
    var own = no_sum();
    if exists {
        own = scratch::bundle_load(bundle);
    }
    let scan = siblings::scan_chunk(t, own);
    workgroupBarrier();
    let held = siblings::scan_workgroup(t, scan, WORKGROUP_SIZE, 0u);
    var topmost = down_identity();
    @if(flows) {
        if held > 0u {
            topmost = stack_open::of_bundle(bundle, held - 1u).value;
        }
    }
    siblings::scan_values(t, topmost, WORKGROUP_SIZE, 0u);
    if exists {
        words[scratch::bundle_word(bundle, BUNDLE_HELD)] = held;
        words[scratch::bundle_word(bundle, BUNDLE_ABOVE)] = siblings::above[t.index];
        @if(flows) down_values::below_bundle_store(bundle, siblings::below(t.index, 0u));
    }
    if t.index == 0u {
        scratch::group_store(group, siblings::total(0u));
    }
}
