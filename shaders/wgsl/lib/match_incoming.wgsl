// The incoming stack of a tile: the stack before its first element, to the depth that its elements need. Of the closes
// without an open in the tile, close k + 1 matches the incoming open at depth k. One more open is needed, which no close
// matches: the parent of elements after all these closes.
//
//     needed = closes without an open in the tile + 1
//     with subgroups, more than 16 elements per thread and few incoming opens, search_nearest() first
//     window = the nodes from a multiple of fan_out() up to the current end; each thread has consecutive nodes
//     build a tree over the window
//     if the window contains the next open:
//         in a window of tiles:            each thread finds the tile of one open by binary search from the root, and reads
//                                          the slice of that tile
//         in a window of a level above:    descend: continue with the window inside the node that contains the open
//     otherwise skip the window, and go up one level
//
// All opens of a window of tiles are found together. Each window with an open takes at most 2 * L + 1 rounds, with L levels
// above the tiles: once up, once down. A tile that closes everything in a window leaves nothing there for later tiles to
// find, so on average a tile searches a few windows, regardless of depth.
//
// The opens are stored in *positions* of a table: the first CACHED in workgroup memory, the others spilled to the upper
// end of the tile's own slice. match_resolve walks through them as through the bits of a word, highest bit first, so
// positions are in blocks of PER_WORD, each with its deepest open first. Position 0 contains NONE, and the rest of the
// first block is unused. Opens below the bottom of the stack are NONE.

import package::kernel::{plan, slices};
import package::lib::bicyclic::{Bicyclic, IDENTITY, combine};
import package::lib::lanes;
import package::lib::{match_tiles, thread_tree};
import package::lib::thread_tree::Found;
import package::constants::{CACHED_OPENS, NONE, PER_WORD, TILE, WORKGROUP_SIZE};

// The number of positions in the cache: whole blocks, including the block of position 0.
const CACHED = (CACHED_OPENS + PER_WORD - 1u) / PER_WORD * PER_WORD + PER_WORD;
// The number of opens that fit in the cache.
const CACHED_MOST = CACHED - PER_WORD;

var<workgroup> cache: array<u32, CACHED>;
// The node into which the search descends: `leaf` is its index on its level.
var<workgroup> hit: Found;

// The single tile whose slice contains all incoming opens, which then need not be spilled: incoming open k is at place
// `top` - k.
struct Source {
    // NONE if there is no such tile.
    tile: u32,
    // The length of its slice.
    opens: u32,
    top: u32,
}
var<workgroup> source: Source;
// The number of needed opens that are on the stack.
var<workgroup> found_count: u32;

// The progress of the search: the first `found` of `needed` opens are found, and the next one has `depth` others above it
// on the stack before node `end` (a tile on level 0).
struct Progress {
    needed: u32,
    found: u32,
    end: u32,
    depth: u32,
}
var<workgroup> progress: Progress;

// Returns the number of incoming opens that the elements of a tile need, given the number of closes without an open in the
// tile: one more than the closes, except in a tile of closes alone.
fn needed_by(closes: u32) -> u32 {
    return min(closes + 1u, TILE);
}

// ---- Positions.

fn position_of(depth: u32) -> u32 {
    let last = depth % PER_WORD;
    return depth - last + 2u * PER_WORD - 1u - last;
}

fn depth_of(position: u32) -> u32 {
    let place = position - PER_WORD;
    let last = place % PER_WORD;
    return place - last + PER_WORD - 1u - last;
}

// Returns the place in `slices` of a spilled position. In bounds: `slices` has TILE words per tile, even for a partial last
// tile. A position is at most 2 * PER_WORD - 1 above its depth, and CACHED is at least 2 * PER_WORD, so position - CACHED <
// closes of the tile. A tile's closes and the opens that it leaves add up to at most TILE, so spilled opens do not overlap
// the tile's own slice. Other tiles read only the slice.
fn spill_place(tile: u32, position: u32) -> u32 {
    return tile * TILE + TILE - 1u - (position - CACHED);
}

fn store(tile: u32, depth: u32, element: u32) {
    let position = position_of(depth);
    if position < CACHED {
        cache[position] = element;
    } else {
        slices[spill_place(tile, position)] = element;
    }
}

// Returns the element of a position.
fn load(tile: u32, position: u32) -> u32 {
    var element = NONE;
    if position < CACHED {
        element = cache[position];
    } else {
        let depth = depth_of(position);
        if depth < found_count {
            if source.tile != NONE {
                element = open_of_slice(source.tile, source.opens, source.top - depth);
            } else {
                element = slices[spill_place(tile, position)];
            }
        }
    }
    return element;
}

// Returns the open at a place of a tile's slice; place < opens <= TILE. A tile of opens alone stores no slice: place i is
// its element i. The place is a result of lane operations, so it is bounded.
fn open_of_slice(tile: u32, opens: u32, place: u32) -> u32 {
    var element = tile * TILE + min(place, TILE - 1u);
    if opens < TILE {
        element = slices[element];
    }
    return element;
}

// ---- The search. All threads of a workgroup call find() together. The opens may be read after the next
// workgroupBarrier(); if more than CACHED_MOST are needed, a storageBarrier() is also required.

// Loads the thread's part of the first window for find(), early because it depends only on the tile. For tile 0, find()
// ignores the result. If the nearest tiles are searched first, nothing is loaded.
fn load_early(tile: u32, thread: u32) -> Bicyclic {
    @if(nearest_first)
    return IDENTITY;
    @else {
        let first = max(tile, 1u) - 1u;
        let first_node = match_tiles::parent(first) * match_tiles::fan_out();
        return match_tiles::load_product(0u, first_node + thread * plan.children_per_thread, tile);
    }
}

// Finds the needed opens that are on the stack. Returns the number of needed opens, as a value that compilers know to be
// uniform, so that barriers may depend on it.
fn find(tile: u32, thread: u32, lanes: u32, closes: u32, early: Bicyclic) -> u32 {
    if thread == 0u {
        cache[0] = NONE;
        source.tile = NONE;
    }
    begin(tile, thread, lanes, needed_by(closes));
    let begun = workgroupUniformLoad(&progress);
    let needed = begun.needed;
    var found = begun.found;
    var end = begun.end;
    var depth = begun.depth;
    var level = 0u;
    while end > 0u && found < needed {
        let first = match_tiles::parent(end - 1u) * match_tiles::fan_out();
        var node = early;
        @if(nearest_first)
        node = match_tiles::load_product(level, first + thread * plan.children_per_thread, end);
        @else
        // On level 0, only the first window ends at the tile, and it was loaded early.
        if level > 0u || end < tile {
            node = match_tiles::load_product(level, first + thread * plan.children_per_thread, end);
        }
        thread_tree::build(thread, lanes, node);
        let window = thread_tree::uniform_root();
        let inside = window.opens - min(window.opens, depth);
        if level > 0u && inside > 0u {
            if thread == 0u {
                let place = find_in_window(level, first, end, depth);
                hit = Found(place.node, place.depth);
            }
            let down = workgroupUniformLoad(&hit);
            level -= 1u;
            // The node is before this tile's ancestor on its level, so it is not the last and has fan_out() children.
            end = (down.leaf + 1u) * match_tiles::fan_out();
            depth = down.depth;
            continue;
        }
        let count = min(inside, needed - found);
        var listed = count;
        if count > CACHED_MOST && count == needed {
            if thread == 0u {
                source = single_source(first, end, depth, count);
            }
            if workgroupUniformLoad(&source).tile != NONE {
                listed = CACHED_MOST;
            }
        }
        var at = Place(0u, 0u, 0u);
        for (var i = thread; i < listed; i += WORKGROUP_SIZE) {
            // The next open is deeper in the same tile, or needs another search.
            at.depth += WORKGROUP_SIZE;
            if at.depth >= at.opens {
                at = find_in_window(0u, first, end, depth + i);
            }
            store(tile, found + i, open_of_slice(at.node, at.opens, at.opens - 1u - at.depth));
        }
        found += count;
        depth = depth + count + window.closes - window.opens;
        end = match_tiles::parent(first);
        level += 1u;
        workgroupBarrier();
    }
    for (var i = found + thread; i < min(needed, CACHED_MOST); i += WORKGROUP_SIZE) {
        store(tile, i, NONE);
    }
    if thread == 0u {
        found_count = found;
    }
    return needed;
}

// Searches the nearest tiles if possible, and stores where the windows start.
fn begin(tile: u32, thread: u32, lanes: u32, needed: u32) {
    @if(nearest_first)
    if lanes >= 8u && needed <= WORKGROUP_SIZE {
        search_nearest(tile, thread, lanes, needed);
        return;
    }
    if thread == 0u {
        progress = Progress(needed, 0u, tile, 0u);
    }
}

// Most tiles need few opens, which are in the nearest tiles. Each subgroup searches these for its threads, one open per
// thread, without barriers:
//
//     lane i loads tile - 1 - i; an inclusive scan from lane 0 on gives
//     after.closes = the number of opens of the lane's tile that later tiles close
//     start        = after.opens: the depth of the topmost open that the lane's tile has on the stack
//     each thread finds the last lane whose start is at most its depth, by binary search over the lanes, and reads the
//     slice of that lane's tile
//
// Lanes do not diverge in a loop before this call.
@if(nearest_first)
fn search_nearest(tile: u32, thread: u32, lanes: u32, needed: u32) {
    let lane = thread % lanes;
    var own = IDENTITY;
    if lane < tile {
        own = match_tiles::load(0u, tile - 1u - lane);
    }
    var product = vec2<u32>(own.closes, own.opens);
    for (var round = 0u; round < firstTrailingBit(lanes); round++) {
        let width = 1u << round;
        let shuffled = lanes::pair_of_earlier(width, product);
        let nearer = select(vec2<u32>(0u), shuffled, lane >= width);
        let both = combine(Bicyclic(product.x, product.y), Bicyclic(nearer.x, nearer.y));
        product = vec2<u32>(both.closes, both.opens);
    }
    var after = lanes::pair_of_earlier(1u, product);
    after = select(vec2<u32>(0u), after, lane > 0u);
    let start = after.y;
    // The open at depth start + i is i places below the topmost survivor, at place top - (start + i) of the slice.
    let top = own.opens - min(own.opens, after.x) - 1u + start;
    let all = lanes::pair_of(lanes - 1u, product);
    let count = min(all.y, needed);
    var at = 0u;
    for (var round = 0u; round < firstTrailingBit(lanes); round++) {
        let step = lanes >> (round + 1u);
        let there = lanes::word_of(at + step, start);
        at = select(at, at + step, there <= thread);
    }
    let place = lanes::word_of(at, top) - thread;
    let opens = lanes::word_of(at, own.opens);
    // `at` is a result of lane operations, so it is compared with the number of earlier tiles.
    if thread < count && at < tile {
        store(tile, thread, open_of_slice(tile - 1u - at, opens, place));
    }
    if thread == 0u {
        progress = Progress(needed, count, tile - min(tile, lanes), all.x);
    }
}

// Returns the tile of the window that contains all `count` opens from `depth` on; NONE if several tiles contain them.
fn single_source(first: u32, end: u32, depth: u32, count: u32) -> Source {
    let top = find_in_window(0u, first, end, depth);
    if top.depth + count > top.opens {
        return Source(NONE, 0u, 0u);
    }
    return Source(top.node, top.opens, top.opens - 1u - top.depth);
}

// An open of a node: the node, the number of the node's opens above this one, and the number of the node's opens.
struct Place {
    node: u32,
    depth: u32,
    opens: u32,
}

// Finds the open with `depth` others above it on the stack before `end`. It must be in the window. A search in the tree finds
// its thread, and a loop over the thread's nodes, starting with the last, finds its node.
//
// The tree consists of results of lane operations. Whatever it contains, the node is from `first` to `end` - 1. So every
// index is in bounds, and the search ends, because each window is before the ones searched earlier.
fn find_in_window(level: u32, first: u32, end: u32, depth: u32) -> Place {
    let at = thread_tree::descend(1u, depth);
    let start = first + at.leaf * plan.children_per_thread;
    var node = min(start + plan.children_per_thread, end) - 1u;
    var value = thread_tree::load_leaf(at.leaf);
    if plan.children_per_thread > 1u {
        value = match_tiles::load(level, node);
    }
    var left = at.depth;
    while node > start && left >= value.opens {
        left = left - value.opens + value.closes;
        node--;
        value = match_tiles::load(level, node);
    }
    return Place(node, left, value.opens);
}
