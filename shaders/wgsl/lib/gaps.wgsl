// The draws in the gaps of a tile of entries (lib/entries.wgsl): their boxes, and what they paint.
//
// The blocks of 32 elements in which gaps of the tile lie follow each other. A chunk takes one block after the other, as
// many elements in a row as it has lanes:
//
//     before = nodes before the element, of the whole scene
//     gap    = of the entry with so many nodes before it, and as many marks as blocks up to the element's
//     box    = the element's rect, cut by what flows to the gap, which is in shared_values
//     paint  = the union of the boxes since the last node: a scan that begins anew after each node
//
// Two tiles may share a block. Each draws the gaps of its own entries, and both read the block.
//
// What a gap paints goes through scratch memory: other threads still read the shared values.

import package::kernel::{bounds, shared_values, counts, plan, rects, values};
import package::constants::TILE;
import package::lib::elements::element_count;
import package::lib::{posts, roles};
import package::lib::chunks::{Thread, alike, lanes};
@if(grows) import package::lib::chunks::{rounds, value};
import package::lib::rect::{NOTHING, rect_canonical, rect_intersect, rect_union};
import package::lib::value::Value;

// The blocks of a tile, and the first row of the thread's chunk, which is on its way while values flow.
struct Rows {
    first: u32,
    end: u32,
}

// What a lane loads for one element: the nodes of its block as bits, and how many come before the block; and its rect.
struct Row {
    markers: u32,
    markers_before: u32,
    rect: vec4<f32>,
}

// Of a tile with at least one entry.
fn rows_of(t: Thread, tile: u32) -> Rows {
    let last = min((tile + 1u) * TILE, element_count()) - 1u;
    let begin = posts::load(tile * TILE);
    let end = posts::load(last);
    // The gap of a mark lies in the block before the mark's; before the first there is none.
    var first = posts::element(begin) / 32u;
    if posts::is_separator(begin) {
        first = max(first, 1u) - 1u;
    }
    let end_block = posts::element(end) / 32u + select(1u, 0u, posts::is_separator(end));
    return Rows(alike(t, first), alike(t, end_block));
}

// What the thread loads first. No member of Rows: a struct with it would be no workgroup's own, and loops over its rows with
// lane operations must be seen to be.
fn first_row(t: Thread, rows: Rows) -> Row {
    return row_load(rows, rows.first + t.chunk, t.lane);
}

// By the block, and the place in it. Past the last it is a row that exists, whichever: no load waits for a branch.
fn row_load(rows: Rows, block: u32, place: u32) -> Row {
    let clamped = min(block, max(rows.end, 1u) - 1u);
    let record = roles::load(clamped);
    let element = min(32u * clamped + place, max(counts.elements, 1u) - 1u);
    return Row(record.markers, record.markers_before, rects[element]);
}

// All threads; `flow` is what flows to the gap of the thread's entry. Ends with a barrier: painted() may be asked, and
// bounds of nodes may be written.
fn draw(t: Thread, tile: u32, rows: Rows, first: Row, flow: Value) {
    @if(flows) {
        // No thread reads values of paths any more.
        workgroupBarrier();
        shared_values[t.index] = flow;
        workgroupBarrier();
    }
    let chunks = TILE / lanes(t);
    var block = rows.first + t.chunk;
    var row = first;
    // As many rounds for all chunks: past the last block nothing is stored.
    for (var round = rows.first; round < rows.end; round += chunks) {
        var paint = NOTHING;
        for (var begin = 0u; begin < 32u; begin += lanes(t)) {
            // The next row is on its way while this one is drawn.
            let is_last = begin + t.lanes >= 32u;
            let next_block = select(block, block + chunks, is_last);
            let next = row_load(rows, next_block, select(begin + t.lanes, 0u, is_last) + t.lane);
            paint = draw_row(t, tile, rows, row, block, begin, paint);
            row = next;
        }
        block += chunks;
    }
    storageBarrier();
}

// Draws a row of a block: the elements from place `begin` on. Takes what the block's earlier rows have painted since
// their last node, and returns the same of all up to this row.
fn draw_row(t: Thread, tile: u32, rows: Rows, row: Row, block: u32, begin: u32, earlier: vec4<f32>) -> vec4<f32> {
    let place = begin + t.lane;
    let element = 32u * block + place;
    let before = row.markers_before + countOneBits(row.markers & ((1u << place) - 1u));
    let is_marker = ((row.markers >> place) & 1u) != 0u;
    // The entry of the gap that the element is in, or ends, counted from the tile's first. Below TILE where the gap is
    // the tile's: before the first it wraps around.
    let post = before + block + 1u - tile * TILE;
    let is_own = post < TILE && block < rows.end && element < counts.elements;
    var box = NOTHING;
    @if(flows) {
        let cut = rect_canonical(rect_intersect(shared_values[select(0u, post, is_own)], row.rect));
        box = select(NOTHING, cut, is_own && !is_marker);
    }
    @else box = select(NOTHING, row.rect, is_own && !is_marker);
    // Rows are stored whole, nodes among them: memory reads a sector again of which it gets a part. What bounds a node
    // has is stored after the barrier.
    if is_own {
        bounds[element] = box;
    }
    @if(grows) {
        let markers_in_row = row.markers >> begin;
        var paint = paint_since(t, markers_in_row, box);
        if begin > 0u && (markers_in_row & ((1u << t.lane) - 1u)) == 0u {
            paint = rect_union(earlier, paint);
        }
        if is_own && is_marker {
            values[plan.parts + tile * TILE + post] = paint;
        }
        let left = select(paint, NOTHING, is_marker);
        // What follows the last node of a block is the gap of the next block's mark, which may be the tile's first entry.
        let separator = post + u32(is_marker);
        if place == 31u && block < rows.end && separator < TILE {
            values[plan.parts + tile * TILE + separator] = left;
        }
        // A row of 32 is a whole block: nothing of it goes on.
        if lanes(t) == 32u {
            return NOTHING;
        }
        return value(t, left, t.lanes - 1u);
    }
    @else return NOTHING;
}

// The union of the boxes of a row up to each lane, since the last of `nodes` before the lane, or the row's first.
@if(grows)
fn paint_since(t: Thread, markers: u32, box: vec4<f32>) -> vec4<f32> {
    // The lane after that node; of no bit the leading one is 2^32 - 1.
    let since = firstLeadingBit(markers & ((1u << t.lane) - 1u)) + 1u;
    var paint = box;
    for (var round = 0u; round < rounds(t); round++) {
        let width = 1u << round;
        // A lane further back than the first is cut to the first, which is united again: that changes nothing.
        let other = max(i32(t.lane) - i32(width), i32(since));
        paint = rect_union(value(t, paint, u32(other)), paint);
    }
    return paint;
}

// What the gap of an entry paints.
@if(grows)
fn painted(post: u32) -> vec4<f32> {
    // Before the first mark there is no gap.
    if post == 0u {
        return NOTHING;
    }
    return values[plan.parts + post];
}
