// The incoming stack of a tile: the stack before its first element, as far down as its elements look. Entry k
// is what the (k+1)-th close of the tile without an open in the tile takes; one more lies below, which no close takes.
//
//     needed = closes without an open in the tile + 1
//     with subgroups, more than 16 elements a thread and few entries, look at the nearest tiles first (search_nearest)
//     window = the nodes from a multiple of fan_out() up to where the search is, a run for each thread
//     build a tree over the window
//     if the window holds the next entry:
//         of tiles:           every thread takes an entry, finds its tile by binary search from the root, and reads
//                             that tile's slice
//         of a level above:   descend: go on with the window inside the node that holds it
//     else pass the window, and go up a level
//
// All that a window of tiles holds is found together, in at most 2 * L + 1 rounds for each window that holds an entry, with L
// levels above the tiles: once up, once down. A window that a tile uses up holds nothing for later tiles, so all tiles
// together look at a few windows each, however deep the stack is.
//
// Entries wait in slots: the first CACHED in workgroup memory, the rest spilled to the upper end of the tile's own
// slice. match_resolve walks through entries as through the bits of a word, highest bit first, so slots lie in
// blocks of PER_WORD, each with its last entry first. Slot 0 is NONE, and the rest of the first block is not used.
// Entries below the bottom of the stack are NONE.

import package::kernel::{plan, slices};
import package::lib::bicyclic::{Bicyclic, IDENTITY, combine};
@if(nearest_first) import package::lib::lanes;
import package::lib::{match_tiles, thread_tree};
import package::lib::thread_tree::Found;
import package::constants::{CACHED_ENTRIES, NONE, PER_WORD, TILE, WORKGROUP_SIZE};

// Whole blocks, and the block of slot 0.
const CACHED = (CACHED_ENTRIES + PER_WORD - 1u) / PER_WORD * PER_WORD + PER_WORD;
// Entries that they hold.
const CACHED_MOST = CACHED - PER_WORD;

var<workgroup> cache: array<u32, CACHED>;
var<workgroup> hit: Found;

// A run of entries in one other tile's slice, which then need not be spilled: entry k is at `top` - k.
struct Source {
    // NONE where there is no such tile.
    tile: u32,
    // Entries of its slice.
    opens: u32,
    top: u32,
}
var<workgroup> source: Source;
// Entries above the bottom of the stack, of those that were needed.
var<workgroup> found_count: u32;

// How far the search is: the first `found` of `needed` entries are found, and entry `found` is `depth` below the top of
// the stack before node `end` (of level 0, a tile).
struct Progress {
    needed: u32,
    found: u32,
    end: u32,
    depth: u32,
}
var<workgroup> progress: Progress;

// Entries that the elements of a tile with so many closes look at: one more than these, but of a tile of closes alone
// no element looks at the entry below.
fn needed_by(closes: u32) -> u32 {
    return min(closes + 1u, TILE);
}

// ---- Slots.

fn slot_of(entry: u32) -> u32 {
    let last = entry % PER_WORD;
    return entry - last + 2u * PER_WORD - 1u - last;
}

fn entry_of(slot: u32) -> u32 {
    let place = slot - PER_WORD;
    let last = place % PER_WORD;
    return place - last + PER_WORD - 1u - last;
}

// Where a slot is spilled. In bounds: `slices` has TILE words for every tile, a partial last tile too. A slot is at most
// 2 * PER_WORD - 1 above its entry, and CACHED is at least 2 * PER_WORD, so slot - CACHED < closes of the tile. The tile's
// own slice has as many entries as the tile leaves open; both together are at most TILE, so they do not meet. Other tiles
// read the slice alone.
fn spill_place(tile: u32, slot: u32) -> u32 {
    return tile * TILE + TILE - 1u - (slot - CACHED);
}

fn store(tile: u32, entry: u32, element: u32) {
    let slot = slot_of(entry);
    if slot < CACHED {
        cache[slot] = element;
    } else {
        slices[spill_place(tile, slot)] = element;
    }
}

// The element of a slot.
fn load(tile: u32, slot: u32) -> u32 {
    var element = NONE;
    if slot < CACHED {
        element = cache[slot];
    } else {
        let entry = entry_of(slot);
        if entry < found_count {
            if source.tile != NONE {
                element = slice_entry(source.tile, source.opens, source.top - entry);
            } else {
                element = slices[spill_place(tile, slot)];
            }
        }
    }
    return element;
}

// An entry of a tile's slice, place < opens <= TILE. A tile of opens alone has no slice: entry i is its element i.
fn slice_entry(tile: u32, opens: u32, place: u32) -> u32 {
    var element = tile * TILE + place;
    if opens < TILE {
        element = slices[element];
    }
    return element;
}

// ---- The search. All threads of a workgroup call find() together. The entries are there after the next
// workgroupBarrier(); where more than CACHED_MOST are needed, after a storageBarrier(), too.

// What a thread has of the first window, for find(): a caller loads it early, because the load needs nothing but the tile.
// Of tile 0, which has nothing before it, find() does not look. Nothing is loaded where the nearest tiles come first.
fn load_early(tile: u32, thread: u32) -> Bicyclic {
    @if(nearest_first)
    return IDENTITY;
    @else {
        let first = max(tile, 1u) - 1u;
        return match_tiles::load_run(0u, match_tiles::parent(first) * match_tiles::fan_out() + thread * plan.run, tile);
    }
}

// Finds the entries, as far as the stack has them. Returns how many are needed, as a value that compilers know is the
// same in all threads, so that barriers may depend on it.
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
        node = match_tiles::load_run(level, first + thread * plan.run, end);
        @else
        if level > 0u || end < tile {
            node = match_tiles::load_run(level, first + thread * plan.run, end);
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
            // A node that has another after it on its level is the product of fan_out() children.
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
            // Further down in the same tile, or by another search.
            at.depth += WORKGROUP_SIZE;
            if at.depth >= at.opens {
                at = find_in_window(0u, first, end, depth + i);
            }
            store(tile, found + i, slice_entry(at.node, at.opens, at.opens - 1u - at.depth));
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

// Where the search begins: behind the nearest tiles, or at the tile itself.
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

// Most tiles need few entries, and the nearest tiles have them. Each subgroup looks there for its threads, an
// entry a thread, without a barrier:
//
//     lane i holds tile - 1 - i; an inclusive scan from lane 0 on gives
//     after.closes = what the tiles after the lane's close of its opens
//     start        = after.opens: the entry at which those of the lane's tile begin
//     each thread finds the last lane with start <= its entry by binary search over the lanes, and reads that
//     tile's slice
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
    // Entry start + i is the slice's entry i below the highest that survives: at top - (start + i).
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
    if thread < count {
        store(tile, thread, slice_entry(tile - 1u - at, opens, place));
    }
    if thread == 0u {
        progress = Progress(needed, count, tile - min(tile, lanes), all.x);
    }
}

// The tile of the window that holds all of `count` entries from `depth` on; no tile where they lie in several.
fn single_source(first: u32, end: u32, depth: u32, count: u32) -> Source {
    let top = find_in_window(0u, first, end, depth);
    if top.depth + count > top.opens {
        return Source(NONE, 0u, 0u);
    }
    return Source(top.node, top.opens, top.opens - 1u - top.depth);
}

// A node of a level, how far below the top of its own opens an entry lies, and how many opens it has.
struct Place {
    node: u32,
    depth: u32,
    opens: u32,
}

// The entry `depth` below the top of the stack before `end`, which the window holds: first the thread by the tree, then
// the node of the thread's run, from the last.
fn find_in_window(level: u32, first: u32, end: u32, depth: u32) -> Place {
    let at = thread_tree::descend(1u, depth);
    let start = first + at.leaf * plan.run;
    var node = min(start + plan.run, end) - 1u;
    var value = thread_tree::load_leaf(at.leaf);
    if plan.run > 1u {
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
