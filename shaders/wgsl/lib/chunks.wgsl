// Lane operations of the stage, with which the threads of a chunk exchange values. Those of matching are in
// lib/lanes.wgsl. No other file has subgroup operations.
//
// A *chunk* is up to 32 consecutive threads, so a word has one bit for each. All lanes of a chunk call each operation
// together; without subgroups, all threads of the workgroup do. With 64 lanes, the other chunk of the subgroup may skip a
// call (all_skip). WGSL requires that the whole subgroup makes each call, but we rely on shuffles between active lanes being
// correct. most() is the maximum over the active lanes.
//
//     with subgroups     a chunk consists of the lanes of a subgroup: 4 to 32 lanes, or half of a subgroup of 64. If the
//                        subgroups are not full, or have another size, a chunk is a single thread: slow, but correct.
//     without            a chunk is 32 consecutive threads, or the whole workgroup if it has fewer, and values go through
//                        workgroup memory
//
// Without subgroups, lane operations take one word, one value and one bit of workgroup memory per thread.
//
// *Reconvergence.* Some operations follow a loop that lanes leave at different times. We assume that lanes have reconverged
// wherever WGSL's uniformity analysis assumes it: after a loop that is left by `break` or by its condition, and after a
// call. WGSL does not guarantee that hardware does this, and the diagnostic that would check it is off (lib/threads.wgsl).
// No kernel returns from `main` in such a loop. A comment at each such operation refers to this rule.
//
// *Memory.* If lanes have not reconverged, results are wrong, but memory accesses remain valid: no index and no loop bound
// relies on a result of this file. Results of lane operations are bounded where they become indices, even if they went
// through memory:
//
//     from lanes                          bounded in
//     places of opens in a tile           stack.find, open_lane; resolve.product_from
//     depths and ranks on a stack         scratch.incoming_word, down_values.incoming_at, siblings.find, stack_open.of_bundle
//     slots                               scratch.existing_slot
//     closes and opens of a tile          scratch.tile_load
//     links, opens and closes             resolve.existing, span.survivor_in, answers_scene.write_non_local
//     roles                               resolve.element_of
//     markers                             compared with the capacity where they are stored, and in compact_markers
//     elements of survivors               reduce_bundles.store_survivors
//     posts and their elements            posts.scene_element, answers_few.scene_element, gaps.blocks_of and draw_row
//     filters of paths                    value_filtered.footprint_of
//     entries of levels                   filter_entries.level_inside and element_of; filter_scatter.store
//
// A test replaces all results of lane operations by noise, runs every kernel, and counts out-of-bounds indices
// (crates/treebounds/src/gpu/probe.rs).

import package::lib::threads::{Local, Workgroup, thread_index};
import package::lib::threads::lane_count;
import package::constants::WORKGROUP_SIZE;
import package::value::{Content, Filtered, Value, carried_by, carrier_of};

// A thread's place in its workgroup.
struct Thread {
    // 0 .. WORKGROUP_SIZE: chunk * lanes + lane
    index: u32,
    chunk: u32,
    // 0 .. lanes
    lane: u32,
    // The lanes of a chunk: a power of two, 1 to 32, which divides WORKGROUP_SIZE.
    lanes: u32,
}

// The chunk's first lane, as a lane of the subgroup.
@if(subgroups) var<private> first_lane: u32;

// The lanes of a chunk without subgroups.
@if(!subgroups) const LANES = min(32u, WORKGROUP_SIZE);

@if(!subgroups) var<workgroup> word_of_thread: array<u32, WORKGROUP_SIZE>;
@if(!subgroups) var<workgroup> value_of_thread: array<Value, WORKGROUP_SIZE>;
@if(!subgroups) var<workgroup> bits_of_chunk: array<atomic<u32>, WORKGROUP_SIZE / LANES>;

// Must be called once, before any other operation.
fn thread_of(workgroup: Workgroup, local: Local) -> Thread {
    let index = thread_index(workgroup, local);
    @if(subgroups) {
        let size = lane_count(workgroup);
        let lanes = select(1u, min(size, 32u), size >= 4u && size <= 64u);
        first_lane = local.lane & ~(lanes - 1u);
        return Thread(index, index / lanes, index % lanes, lanes);
    }
    @else {
        return Thread(index, index / LANES, index % LANES, LANES);
    }
}

// Returns the number of chunks of the first `count` threads.
fn chunks_of(t: Thread, count: u32) -> u32 {
    return (count + t.lanes - 1u) / t.lanes;
}

// Returns log2 of the lanes, which is the number of rounds of a scan whose width doubles each round. Loops count rounds
// instead of doubling a width, because compilers that know the number of lanes unroll only the former.
fn rounds(t: Thread) -> u32 {
    return firstTrailingBit(lanes(t));
}

// Returns the number of lanes of a chunk, for loops that contain lane operations. Without subgroups, lane operations contain
// barriers, so a compiler must be able to prove that the number is uniform, and it cannot for a field of `t`.
fn lanes(t: Thread) -> u32 {
    @if(subgroups) {
        return t.lanes;
    }
    @else {
        return LANES;
    }
}

// Returns the word of another lane, which is less than t.lanes.
fn word(t: Thread, own: u32, lane: u32) -> u32 {
    @if(subgroups) {
        return subgroupShuffle(own, first_lane + lane);
    }
    @else {
        word_of_thread[t.index] = own;
        workgroupBarrier();
        let other = word_of_thread[t.index - t.lane + lane];
        workgroupBarrier();
        return other;
    }
}

// Returns the value of another lane, which is less than t.lanes.
fn value(t: Thread, own: Value, lane: u32) -> Value {
    @if(subgroups && filters) {
        return Filtered(
            subgroupShuffle(own.outside, first_lane + lane),
            subgroupShuffle(own.inside, first_lane + lane),
            subgroupShuffle(own.word, first_lane + lane),
        );
    }
    @elif(subgroups) {
        return subgroupShuffle(own, first_lane + lane);
    }
    @else {
        value_of_thread[t.index] = own;
        workgroupBarrier();
        let other = value_of_thread[t.index - t.lane + lane];
        workgroupBarrier();
        return other;
    }
}

// Returns the content of another lane. A content is one rect of a value.
fn content(t: Thread, own: Content, lane: u32) -> Content {
    @if(subgroups && filters) {
        return subgroupShuffle(own, first_lane + lane);
    }
    @else {
        return carried_by(value(t, carrier_of(own), lane));
    }
}

// Returns the value of the lane whose index differs in one bit, `width`, a power of two less than t.lanes.
fn value_across(t: Thread, own: Value, width: u32) -> Value {
    @if(subgroups && !filters) {
        return subgroupShuffleXor(own, width);
    }
    @else {
        return value(t, own, t.lane ^ width);
    }
}

// Returns one bit from each lane.
fn ballot(t: Thread, bit: bool) -> u32 {
    @if(subgroups) {
        let all = subgroupBallot(bit);
        return select(select(all.y, all.x, first_lane == 0u), u32(bit), t.lanes == 1u);
    }
    @else {
        return any_of(t, u32(bit) << t.lane);
    }
}

// Returns the bits that are set in any lane.
fn any_of(t: Thread, own: u32) -> u32 {
    @if(subgroups) {
        let is_low = first_lane < 32u;
        let low = subgroupOr(select(0u, own, is_low));
        let high = subgroupOr(select(own, 0u, is_low));
        return select(select(high, low, is_low), own, t.lanes == 1u);
    }
    @else {
        if t.lane == 0u {
            atomicStore(&bits_of_chunk[t.chunk], 0u);
        }
        workgroupBarrier();
        atomicOr(&bits_of_chunk[t.chunk], own);
        workgroupBarrier();
        let all = atomicLoad(&bits_of_chunk[t.chunk]);
        workgroupBarrier();
        return all;
    }
}

// Returns whether a chunk may skip lane operations because none of its lanes needs them. Always false without subgroups,
// where all threads must reach the same barriers.
fn all_skip(t: Thread, skips: bool) -> bool {
    @if(subgroups) {
        return ballot(t, !skips) == 0u;
    }
    @else {
        return false;
    }
}

// Returns the maximum over the lanes of the subgroup; without subgroups, over the threads of the workgroup. A loop with this
// bound may contain lane operations.
fn most(t: Thread, own: u32) -> u32 {
    @if(subgroups) {
        return subgroupMax(own);
    }
    @else {
        if t.index == 0u {
            atomicStore(&bits_of_chunk[0], 0u);
        }
        workgroupBarrier();
        atomicMax(&bits_of_chunk[0], own);
        workgroupBarrier();
        return alike(t, atomicLoad(&bits_of_chunk[0]));
    }
}

// Returns `own` in a form that compilers know to be uniform. It must be the same in all threads of the workgroup. So it can
// be the bound of a loop with lane operations, which contain barriers without subgroups.
fn alike(t: Thread, own: u32) -> u32 {
    @if(subgroups) {
        return own;
    }
    @else {
        if t.index == 0u {
            word_of_thread[0] = own;
        }
        return workgroupUniformLoad(&word_of_thread[0]);
    }
}
