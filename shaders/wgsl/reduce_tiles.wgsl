// reduce_tiles: what each tile does to the stack, and the slice that it leaves. It serves streams of at most as many
// tiles as a workgroup has threads; reduce_bundles serves longer ones.
//
//     workgroup  one tile
//     thread     one element
//     chunk      up to 32 elements
//
//     roles[tile]   = the role of each element, one bit each                           (lib/roles.wgsl)
//     sum of chunks = what each chunk does to the stack                                (lib/stack.wgsl)
//     an open survives if at least as many opens lie above it in its chunk as later chunks close:
//         slot[tile * TILE + survivors below it] = the open
//         value of the slot = product along the survivors up to it: a scan, because each lies on the one before it
//     tile[tile]    = (closes, opens), markers                                         (lib/scratch.wgsl)
//
// Reads one word and one value per element; writes 4 words for 32 elements, and one slot and one value per survivor.
// If there are few markers, the dispatch has further workgroups after one per tile, which store marker indices while
// the others wait for memory.

import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::lib::chunks::{Thread, thread_of};
import package::lib::bicyclic::{IDENTITY, combine};
import package::lib::{elements, roles, scratch, stack};
import package::lib::roles::OPENS;
import package::lib::{down_values, marker_indices};
import package::lib::scan::along_threads;
import package::value::{Value, down_identity};
import package::monoid::Input;
import package::layout::{Counts, Params, TreePlan};
import package::constants::{NONE, TILE, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> plan: TreePlan;
@if(few_markers) @group(0) @binding(52) var<uniform> frame_counts: Counts;
@group(0) @binding(4) var<storage, read> tags: array<u32>;
@group(0) @binding(5) var<storage, read> rects: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> markers_before: array<u32>;
@group(0) @binding(15) var<storage, read_write> words: array<u32>;
@group(0) @binding(16) var<storage, read_write> values: array<Value>;
@group(0) @binding(17) var<storage, read> inputs: array<Input>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let tile = workgroup_index(workgroup);
    @if(few_markers) {
        let tiles = elements::tiles_of(plan.element_capacity);
        if tile >= tiles {
            marker_indices::store_of_few(tile - tiles, local.index);
            return;
        }
    }
    if tile >= elements::tile_count() {
        return;
    }
    let t = thread_of(workgroup, local);
    let element = tile * TILE + t.index;
    let role = elements::role_at(element);
    // Loaded early, because the load depends on the role only.
    @if(flows) var value = down_identity();
    @if(flows) {
        if (role & OPENS) != 0u {
            value = elements::own_value(element);
        }
    }
    @if(keeps_roles) roles::collect(t, role);
    let place = stack::build(t, role);
    @if(keeps_roles) store_roles(tile, t.index);

    // Its loop has a different number of rounds in different chunks. Lanes have met again after it (reconvergence,
    // lib/chunks.wgsl).
    let closed = closed_later(t, place);
    let left_above = (place.left >> t.lane) >> 1u;
    let is_left = ((place.left >> t.lane) & 1u) != 0u;
    let survives = is_left && countOneBits(left_above) >= closed;
    @if(flows) {
        if !survives {
            value = down_identity();
        }
        value = along_threads(t, value, WORKGROUP_SIZE);
    }
    if survives {
        let slot = tile * TILE + survivors_below(t, place);
        scratch::slot_element_store(slot, element);
        @if(grows) scratch::slot_close_clear(slot);
        @if(grows && scene) scratch::slot_open_marker_store(slot, roles::collected_rank(t.index), role);
        @if(flows) down_values::of_slot_store(slot, value);
    }
    // A thread of the first chunk, because it has no earlier chunks to sum.
    if t.index == 0u {
        let does = stack::sum_of(0u, WORKGROUP_SIZE / t.lanes);
        @if(scene) let markers = roles::collected_before(roles::RECORDS);
        @else let markers = 0u;
        scratch::tile_store(tile, scratch::Sum(does, markers));
    }
}

// How many opens that the chunk leaves are closed by later chunks. It may be more than the chunk leaves.
fn closed_later(t: Thread, place: stack::Place) -> u32 {
    let left = countOneBits(place.left);
    var later = IDENTITY;
    for (var chunk = t.chunk + 1u; chunk < WORKGROUP_SIZE / t.lanes && later.closes < left; chunk++) {
        later = combine(later, stack::chunk_sum(chunk));
    }
    return later.closes;
}

// How many survivors lie below a survivor: all opens below it survive, too.
fn survivors_below(t: Thread, place: stack::Place) -> u32 {
    let earlier = (1u << t.lane) - 1u;
    let before = stack::sum_of(0u, t.chunk).opens;
    let closed = countOneBits(place.unmatched & earlier);
    return before - min(before, closed) + countOneBits(place.left & earlier);
}

@if(keeps_roles)
fn store_roles(tile: u32, thread: u32) {
    if thread < roles::RECORDS {
        @if(scene) let before = roles::collected_before(thread);
        @else let before = 0u;
        roles::store(tile * roles::RECORDS + thread, roles::collected_record(thread, before));
    }
}
