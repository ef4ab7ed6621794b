// bracket_finish: computes depths, partners and errors from the links of matching and the state before each tile.
//
//     workgroup  one tile: TILE consecutive elements, in rows (lib/bracket_rows)
//     thread     four consecutive elements per row
//
//     for each row:
//         state = state before the thread's elements: that of the tile, then earlier rows, then earlier threads
//         for each of the four elements:
//             the link of matching is valid only if the stack of the segment is not empty
//             a close with a link:     write both partners, compare the kinds
//             a close without a link:  report it as unopened
//             a reset:                 write the lowest open of the stack, which is unclosed, and the end
//
// Matching ignores resets: it sees the stack of a segment on top of the opens that earlier segments left. If the stack of
// the segment is not empty, both stacks have the same top. Otherwise the link leads to an earlier segment, and is replaced
// by NONE.
//
// Reads the input and the links once, and the word of the matching open for each close. Writes one word per element, two
// more per pair, four per segment, and the links that change.

import package::lib::{bracket_rows, brackets, match_tiles};
import package::lib::brackets::{Brackets, CLOSE, OPEN, RESET, kind_of, role_of};
import package::lib::threads::{Local, Workgroup, thread_index, workgroup_index};
import package::layout::{MatchPlan, Params};
import package::constants::{NONE, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(24) var<uniform> plan: MatchPlan;
@group(0) @binding(12) var<storage, read> tags4: array<vec4<u32>>;
@group(0) @binding(14) var<storage, read_write> links4: array<vec4<u32>>;
@group(0) @binding(36) var<storage, read_write> partners: array<u32>;
@group(0) @binding(37) var<storage, read_write> depths4: array<vec4<u32>>;
@group(0) @binding(38) var<storage, read_write> segments: array<Errors>;
@group(0) @binding(39) var<storage, read_write> tiles: array<Brackets>;

// BracketSegment with atomics for the fields that several threads write: the first unopened close and the first mismatched
// one.
struct Errors {
    closes: array<atomic<u32>, 2>,
    unclosed: u32,
    end: u32,
}

const UNOPENED = 0u;
const MISMATCHED = 1u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let tile = workgroup_index(workgroup);
    let thread = thread_index(workgroup, local);
    if tile >= match_tiles::count() {
        return;
    }
    var before_row = tiles[tile];
    for (var row = 0u; row < bracket_rows::ROWS; row++) {
        let first = bracket_rows::first_of(tile, row, thread);
        let words = bracket_rows::load(first);
        brackets::scan(thread, bracket_rows::product(words, first));
        let state = brackets::combine(before_row, brackets::before(thread));
        before_row = brackets::combine(before_row, brackets::total());
        workgroupBarrier();
        // In bounds: an element below the count is below the capacity, and the buffers are padded to whole vectors.
        if first < match_tiles::element_count() {
            four(words, first, state);
        }
    }
}

// Processes four elements. `state` is the state before the first one. Elements past the count are neither open nor close.
fn four(words: vec4<u32>, first: u32, state: Brackets) {
    let links = links4[first / 4u];
    var own_links = links;
    var depths = vec4<u32>(0u);
    var segment = state.resets;
    var depth = state.opens;
    var bottom = state.bottom;
    for (var i = 0u; i < 4u; i++) {
        let element = first + i;
        let role = role_of(words[i]);
        if depth == 0u {
            own_links[i] = NONE;
        }
        if role == CLOSE {
            if depth == 0u {
                report(segment, UNOPENED, element);
            } else {
                depth -= 1u;
                // A link is a result of lane operations, so it is compared with the element.
                if links[i] < element {
                    match_pair(segment, words[i], links[i], element);
                }
            }
        }
        depths[i] = depth;
        if role == OPEN {
            bottom = select(bottom, element, depth == 0u);
            depth += 1u;
        } else if role == RESET {
            end_segment(segment, element, select(NONE, bottom, depth > 0u));
            segment += 1u;
            depth = 0u;
        }
    }
    depths4[first / 4u] = depths;
    if any(own_links != links) {
        links4[first / 4u] = own_links;
    }
}

// Stores a close and its open as partners, and compares their kinds. In bounds: the open is an earlier element than the
// close. No other element writes these two partners.
fn match_pair(segment: u32, word: u32, open: u32, close: u32) {
    partners[close] = open;
    partners[open] = close;
    if kind_of(word) != kind_of(bracket_rows::load_one(open)) {
        report(segment, MISMATCHED, close);
    }
}

// Lowers the segment's first error of one kind to `close` if that is earlier. Most tiles run after the tile with the first
// error, so testing this with a load avoids most atomics.
fn report(segment: u32, error: u32, close: u32) {
    if segment < plan.segment_capacity && close < atomicLoad(&segments[segment].closes[error]) {
        atomicMin(&segments[segment].closes[error], close);
    }
}

// Stores the end of a segment and its lowest unclosed open. Only the thread of the segment's reset does this.
fn end_segment(segment: u32, reset: u32, unclosed: u32) {
    if segment < plan.segment_capacity {
        segments[segment].unclosed = unclosed;
        segments[segment].end = reset;
    }
}
