// bracket_reduce: computes the effect of each tile on the state of a parser, and initializes the results.
//
//     workgroup  one tile: TILE consecutive elements, in rows (lib/bracket_rows)
//     thread     four consecutive elements per row
//
//     partners of the tile = NONE
//     segments = no errors, no end; the workgroups divide this work
//     for each row: product of the tile = product of the tile, times the product of the row (lib/brackets)
//
// Reads the input once. Writes one word per element, four per segment of the capacity, and four per tile.

import package::lib::{bracket_rows, brackets, match_tiles};
import package::lib::brackets::Brackets;
import package::lib::threads::{Local, Workgroup, thread_index, workgroup_index};
import package::layout::{BracketSegment, MatchPlan, Params};
import package::constants::{NONE, PER_THREAD, TILE, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(24) var<uniform> plan: MatchPlan;
@group(0) @binding(12) var<storage, read> tags4: array<vec4<u32>>;
@group(0) @binding(36) var<storage, read_write> partners: array<u32>;
@group(0) @binding(38) var<storage, read_write> segments: array<BracketSegment>;
@group(0) @binding(39) var<storage, read_write> tiles: array<Brackets>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let tile = workgroup_index(workgroup);
    let thread = thread_index(workgroup, local);
    clear_segments(tile * WORKGROUP_SIZE + thread, workgroup.count.x * workgroup.count.y * WORKGROUP_SIZE);
    if tile >= match_tiles::count() {
        return;
    }
    // In bounds: an element below the count is below the capacity.
    for (var i = 0u; i < PER_THREAD; i++) {
        let element = tile * TILE + i * WORKGROUP_SIZE + thread;
        if element < match_tiles::element_count() {
            partners[element] = NONE;
        }
    }
    var all = brackets::IDENTITY;
    for (var row = 0u; row < bracket_rows::ROWS; row++) {
        let first = bracket_rows::first_of(tile, row, thread);
        let words = bracket_rows::load(first);
        brackets::scan(thread, bracket_rows::product(words, first));
        all = brackets::combine(all, brackets::total());
        workgroupBarrier();
    }
    if thread == 0u {
        // In bounds: the tile is below the number of tiles of the capacity.
        tiles[tile] = all;
    }
}

// Clears every `stride`-th segment from `first` on. In bounds: segments are below the capacity.
fn clear_segments(first: u32, stride: u32) {
    for (var segment = first; segment < plan.segment_capacity; segment += stride) {
        segments[segment] = BracketSegment(NONE, NONE, NONE, NONE);
        if plan.segment_capacity - segment <= stride {
            break;
        }
    }
}
