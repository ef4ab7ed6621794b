// bracket_scan: finds the state of the parser before each tile, and stores the last segment, which has no reset.
//
//     workgroup  all tiles: there is a single workgroup
//     thread     a run of consecutive tiles
//
//     run    = the product of the thread's tiles
//     scan the runs over the threads (lib/brackets)
//     replace the product of each tile by the product of all earlier tiles
//     last segment = its unclosed open, and the number of elements as its end
//
// Reads four words per tile twice, and writes them once.

import package::lib::brackets;
import package::lib::brackets::Brackets;
import package::lib::match_tiles;
import package::lib::threads::{Local, Workgroup, thread_index};
import package::layout::{BracketCounts, BracketSegment, MatchPlan, Params};
import package::constants::{STATUS_ELEMENTS_CLAMPED, STATUS_SEGMENTS_CLAMPED, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(24) var<uniform> plan: MatchPlan;
@group(0) @binding(3) var<storage, read_write> counts: BracketCounts;
@group(0) @binding(38) var<storage, read_write> segments: array<BracketSegment>;
@group(0) @binding(39) var<storage, read_write> tiles: array<Brackets>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let thread = thread_index(workgroup, local);
    let count = match_tiles::count();
    let run = (count + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
    // In bounds: each tile of the run is below `count`.
    let first = min(thread * run, count);
    let end = min(first + run, count);
    var own = brackets::IDENTITY;
    for (var tile = first; tile < end; tile++) {
        own = brackets::combine(own, tiles[tile]);
    }
    brackets::scan(thread, own);
    var state = brackets::before(thread);
    for (var tile = first; tile < end; tile++) {
        let next = brackets::combine(state, tiles[tile]);
        tiles[tile] = state;
        state = next;
    }
    if thread == 0u {
        finish(brackets::total());
    }
}

fn finish(all: Brackets) {
    let elements = match_tiles::element_count();
    var status = select(0u, STATUS_ELEMENTS_CLAMPED, params.elements > elements);
    if all.resets < plan.segment_capacity {
        segments[all.resets].unclosed = all.bottom;
        segments[all.resets].end = elements;
    } else {
        status |= STATUS_SEGMENTS_CLAMPED;
    }
    counts = BracketCounts(elements, all.resets + 1u, status, 0u);
}
