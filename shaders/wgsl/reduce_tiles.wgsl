// reduce_tiles: computes the effect of each tile on the stack, and the slice that it leaves. It is for streams with at most
// one tile per thread of a workgroup; reduce_bundles is for longer ones.
//
//     workgroup  one tile
//     thread     one element
//     chunk      up to 32 elements
//
//     roles[tile]   = the role of each element, one bit each                           (lib/roles.wgsl)
//     sum of chunks = the effect of each chunk on the stack                            (lib/stack.wgsl)
//     an open survives if later chunks close no more opens than there are above it in its chunk:
//         slot[tile * TILE + survivors below it] = the open
//         value of the slot = product along the survivors up to it: a scan, because each is the parent of the next
//     tile[tile]    = (closes, opens), markers                                         (lib/scratch.wgsl)
//
// Reads one word and one value per element. Writes 4 words per 32 elements, and one slot and one value per survivor. If
// there are few markers, the dispatch has additional workgroups after those of the tiles, which store marker indices while
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
    // Loaded early, because the load depends only on the role.
    @if(flows) var value = down_identity();
    @if(flows) {
        if (role & OPENS) != 0u {
            value = elements::own_value(element);
        }
    }
    @if(keeps_roles) roles::collect(t, role);
    let place = stack::build(t, role);
    @if(keeps_roles) store_roles(tile, t.index);

    // The number of rounds of closed_later() differs between chunks. Lanes have reconverged after its loop
    // (lib/chunks.wgsl).
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
    // The first chunk stores the sum, because its threads have no earlier chunks to process.
    if t.index == 0u {
        let does = stack::sum_of(0u, WORKGROUP_SIZE / t.lanes);
        @if(scene) let markers = roles::collected_before(roles::RECORDS);
        @else let markers = 0u;
        scratch::tile_store(tile, scratch::Sum(does, markers));
    }
}

// Returns the number of opens that later chunks close, which may exceed the number that the chunk leaves.
fn closed_later(t: Thread, place: stack::Place) -> u32 {
    let left = countOneBits(place.left);
    var later = IDENTITY;
    for (var chunk = t.chunk + 1u; chunk < WORKGROUP_SIZE / t.lanes && later.closes < left; chunk++) {
        later = combine(later, stack::chunk_sum(chunk));
    }
    return later.closes;
}

// Returns the number of survivors below a survivor. All opens below it survive too.
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
