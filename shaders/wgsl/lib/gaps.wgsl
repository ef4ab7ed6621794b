// The draws in the gaps of a tile of posts (lib/posts.wgsl): finds their boxes, and the union of the boxes of each gap, which
// is the *paint* of the gap.
//
// The tile's gaps are in consecutive blocks of 32 elements. A chunk processes one block at a time, in rows of one element
// per lane:
//
//     before = markers before the element, in the whole scene
//     post   = the post whose gap contains the element: its index is the number of markers before the element, plus one
//              separator per block up to the element's
//     box    = the element's rect, clipped to the value that its gap inherits, which is in workgroup memory
//     paint  = the union of the boxes since the last marker: a scan that restarts after each marker
//
// Two tiles may share a block. Each processes the gaps of its own posts, and both read the block.
//
// While some threads store paint, others still read the shared values, so paint goes through scratch memory.

import package::kernel::{boxes, frame_counts, plan, rects, values};
import package::constants::TILE;
import package::lib::elements::element_count;
import package::lib::{posts, roles, shared};
import package::lib::chunks::{Thread, alike, content, lanes, rounds};
import package::lib::rect::{NOTHING, rect_union};
import package::value::{Value, carried_by, carrier_of, visible};

// The blocks of a tile, first .. end.
struct Blocks {
    first: u32,
    end: u32,
}

// The data of one element: the markers of its block as bits, the number of markers before the block, and its rect.
struct Loaded {
    markers: u32,
    markers_before: u32,
    rect: vec4<f32>,
}

// Finds the blocks of a tile. The tile must have at least one post.
fn blocks_of(t: Thread, tile: u32) -> Blocks {
    let last = min((tile + 1u) * TILE, element_count()) - 1u;
    let first_post = posts::load(tile * TILE);
    let last_post = posts::load(last);
    // The gap of a separator is in the previous block. The first separator has no gap.
    var first = posts::element(first_post) / 32u;
    if posts::is_separator(first_post) {
        first = max(first, 1u) - 1u;
    }
    let end = posts::element(last_post) / 32u + select(1u, 0u, posts::is_separator(last_post));
    // Posts are results of lane operations, so the blocks are bounded: every block exists, and a tile has gaps in at most
    // TILE blocks.
    let last_end = min(first + TILE, (frame_counts.elements + 31u) / 32u);
    return Blocks(alike(t, first), alike(t, min(end, last_end)));
}

// Loads the thread's element in the first row of its chunk, before values flow. It is not a member of Blocks, because
// compilers must be able to prove that Blocks is uniform: the loops over blocks contain lane operations.
fn load_first(t: Thread, blocks: Blocks) -> Loaded {
    return load_element(blocks, blocks.first + t.chunk, t.lane);
}

// Loads the element at a place of a block. Past the last block, it loads some other element, so that no load waits for a
// branch.
fn load_element(blocks: Blocks, block: u32, place: u32) -> Loaded {
    let clamped = min(block, max(blocks.end, 1u) - 1u);
    let record = roles::load(clamped);
    let element = min(32u * clamped + place, max(frame_counts.elements, 1u) - 1u);
    return Loaded(record.markers, record.markers_before, rects[element]);
}

// Stores the boxes of all draws in the tile's gaps, and the paint of each gap. `flow` is the value that the gap of the
// thread's post inherits. All threads call it. It ends with a barrier, after which painted() may be called and the bounds of
// markers may be stored.
fn draw(t: Thread, tile: u32, blocks: Blocks, first: Loaded, flow: Value) {
    @if(flows) {
        // Wait until all threads have read the products of the opens.
        workgroupBarrier();
        shared::store(t.index, flow);
        workgroupBarrier();
    }
    let chunks = TILE / lanes(t);
    var block = blocks.first + t.chunk;
    var loaded = first;
    // All chunks run the same number of rounds. Past the last block, they store nothing.
    for (var round = blocks.first; round < blocks.end; round += chunks) {
        var paint = NOTHING;
        for (var start = 0u; start < 32u; start += lanes(t)) {
            // The next row is loaded while this one is processed.
            let is_last = start + t.lanes >= 32u;
            let next_block = select(block, block + chunks, is_last);
            let next = load_element(blocks, next_block, select(start + t.lanes, 0u, is_last) + t.lane);
            paint = draw_row(t, tile, blocks, loaded, block, start, paint);
            loaded = next;
        }
        block += chunks;
    }
    storageBarrier();
}

// Processes the row of a block that starts at place `start`. `earlier` is the paint of earlier rows of the block since their
// last marker; returns the paint since the last marker up to the end of this row.
fn draw_row(
    t: Thread,
    tile: u32,
    blocks: Blocks,
    own: Loaded,
    block: u32,
    start: u32,
    earlier: vec4<f32>,
) -> vec4<f32> {
    let place = start + t.lane;
    let element = 32u * block + place;
    let before = own.markers_before + countOneBits(own.markers & ((1u << place) - 1u));
    let is_marker = ((own.markers >> place) & 1u) != 0u;
    // The post whose gap contains the element, or the post of a marker, relative to the tile's first post. It is less than
    // TILE if the post is in the tile. Before the tile's first post, it wraps around.
    let post = before + block + 1u - tile * TILE;
    // Posts past the last are ignored, even if lanes have stored wrong values.
    let own_posts = min(TILE, element_count() - tile * TILE);
    let is_own = post < own_posts && block < blocks.end && element < frame_counts.elements;
    var box = NOTHING;
    @if(flows) {
        let cut = visible(shared::load(select(0u, post, is_own)), own.rect);
        box = select(NOTHING, cut, is_own && !is_marker);
    }
    @else box = select(NOTHING, own.rect, is_own && !is_marker);
    // Whole rows are stored, including markers, because storing a part of a sector makes the memory read the sector first.
    // The bounds of markers are stored after the barrier.
    if is_own {
        boxes[element] = box;
    }
    @if(grows) {
        let markers_in_row = own.markers >> start;
        var paint = paint_since(t, markers_in_row, box);
        if start > 0u && (markers_in_row & ((1u << t.lane) - 1u)) == 0u {
            paint = rect_union(earlier, paint);
        }
        if is_own && is_marker {
            values[plan.parts + tile * TILE + post] = carrier_of(paint);
        }
        let left = select(paint, NOTHING, is_marker);
        // The draws after the last marker of a block form the gap of the next separator, which may be the tile's first
        // post.
        let separator = post + u32(is_marker);
        if place == 31u && block < blocks.end && separator < own_posts {
            values[plan.parts + tile * TILE + separator] = carrier_of(left);
        }
        // A row of 32 is a whole block, so nothing is carried to another row.
        if lanes(t) == 32u {
            return NOTHING;
        }
        return content(t, left, t.lanes - 1u);
    }
    @else return NOTHING;
}

// Returns the union of the boxes of the row from the last marker before the lane (or the start of the row) up to the lane.
fn paint_since(t: Thread, markers: u32, box: vec4<f32>) -> vec4<f32> {
    // The lane after that marker. firstLeadingBit(0) is 2^32 - 1.
    let since = firstLeadingBit(markers & ((1u << t.lane) - 1u)) + 1u;
    var paint = box;
    for (var round = 0u; round < rounds(t); round++) {
        let width = 1u << round;
        // Instead of a lane before `since`, the box of `since` is united again. Union is idempotent, so this changes nothing.
        let other = max(i32(t.lane) - i32(width), i32(since));
        paint = rect_union(content(t, paint, u32(other)), paint);
    }
    return paint;
}

// Returns the paint of the gap before a post. The first post is a separator without a gap.
fn painted(post: u32) -> vec4<f32> {
    if post == 0u {
        return NOTHING;
    }
    return carried_by(values[plan.parts + post]);
}
