// The draws in the gaps of a tile of posts (lib/posts.wgsl): their boxes, and what they paint.
//
// The blocks of 32 elements in which the tile's gaps lie are consecutive. A chunk takes one block at a time, and of
// that as many elements (a *row*) as it has lanes:
//
//     before = markers before the element, in the whole scene
//     post   = the post whose gap has the element: as many markers precede it, and as many separators as there are blocks up
//              to the element's
//     box    = the element's rect, cut by what flows to the gap, which is in workgroup memory
//     paint  = the union of the boxes since the last marker: a scan that restarts after each marker
//
// Two tiles may share a block. Each draws the gaps of its own posts, and both read the block.
//
// Threads still read the shared values while others store what a gap paints, so that goes through scratch memory.

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

// What a lane loads for one element: the markers of its block as bits, the number of markers before the block, and its
// rect.
struct Loaded {
    markers: u32,
    markers_before: u32,
    rect: vec4<f32>,
}

// The tile has at least one post.
fn blocks_of(t: Thread, tile: u32) -> Blocks {
    let last = min((tile + 1u) * TILE, element_count()) - 1u;
    let first_post = posts::load(tile * TILE);
    let last_post = posts::load(last);
    // The gap of a separator is in the block before the separator's. The first separator has no gap.
    var first = posts::element(first_post) / 32u;
    if posts::is_separator(first_post) {
        first = max(first, 1u) - 1u;
    }
    let end = posts::element(last_post) / 32u + select(1u, 0u, posts::is_separator(last_post));
    // Posts come from lanes, so the blocks are bounded: they exist, and a tile of posts has gaps in at most TILE of them.
    let last_end = min(first + TILE, (frame_counts.elements + 31u) / 32u);
    return Blocks(alike(t, first), alike(t, min(end, last_end)));
}

// The thread's element in the first row of its chunk, loaded before values flow. It is not a member of Blocks:
// compilers must see that Blocks is the same for the whole workgroup, because the loops over blocks contain lane
// operations.
fn load_first(t: Thread, blocks: Blocks) -> Loaded {
    return load_element(blocks, blocks.first + t.chunk, t.lane);
}

// The element at a place of a block. Past the last block it loads some other element, so that no load waits for a
// branch.
fn load_element(blocks: Blocks, block: u32, place: u32) -> Loaded {
    let clamped = min(block, max(blocks.end, 1u) - 1u);
    let record = roles::load(clamped);
    let element = min(32u * clamped + place, max(frame_counts.elements, 1u) - 1u);
    return Loaded(record.markers, record.markers_before, rects[element]);
}

// All threads; `flow` flows to the gap of the thread's post. Ends with a barrier, after which painted() may be called
// and the bounds of markers may be stored.
fn draw(t: Thread, tile: u32, blocks: Blocks, first: Loaded, flow: Value) {
    @if(flows) {
        // All threads have read the products of the opens.
        workgroupBarrier();
        shared::store(t.index, flow);
        workgroupBarrier();
    }
    let chunks = TILE / lanes(t);
    var block = blocks.first + t.chunk;
    var loaded = first;
    // All chunks make the same number of rounds. Past the last block they store nothing.
    for (var round = blocks.first; round < blocks.end; round += chunks) {
        var paint = NOTHING;
        for (var start = 0u; start < 32u; start += lanes(t)) {
            // The next row is loaded while this one is drawn.
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

// Draws the row of a block that starts at place `start`. `earlier` is what earlier rows of the block have painted since
// their last marker; returns the same up to and including this row.
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
    // The post whose gap has the element, or the post that the element is, counted from the tile's first post. It is
    // less than TILE if the post is in the tile. Before the tile's first post, it wraps around.
    let post = before + block + 1u - tile * TILE;
    // Whatever lanes have stored, a post past the last is not used.
    let own_posts = min(TILE, element_count() - tile * TILE);
    let is_own = post < own_posts && block < blocks.end && element < frame_counts.elements;
    var box = NOTHING;
    @if(flows) {
        let cut = visible(shared::load(select(0u, post, is_own)), own.rect);
        box = select(NOTHING, cut, is_own && !is_marker);
    }
    @else box = select(NOTHING, own.rect, is_own && !is_marker);
    // Whole rows are stored, markers too, because a partial store of a sector makes memory read it first. The bounds of
    // markers are stored after the barrier.
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
        // The draws after the last marker of a block are the gap of the next separator, which may be the tile's first
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

// For each lane, the union of the boxes of its row from the last marker before it, or from the start of the row.
fn paint_since(t: Thread, markers: u32, box: vec4<f32>) -> vec4<f32> {
    // The lane after that marker. The leading bit of 0 is 2^32 - 1.
    let since = firstLeadingBit(markers & ((1u << t.lane) - 1u)) + 1u;
    var paint = box;
    for (var round = 0u; round < rounds(t); round++) {
        let width = 1u << round;
        // Lanes before `since` are replaced by `since`. Uniting with it again changes nothing.
        let other = max(i32(t.lane) - i32(width), i32(since));
        paint = rect_union(content(t, paint, u32(other)), paint);
    }
    return paint;
}

// What the gap of a post paints. The first post is a separator without a gap.
fn painted(post: u32) -> vec4<f32> {
    if post == 0u {
        return NOTHING;
    }
    return carried_by(values[plan.parts + post]);
}
