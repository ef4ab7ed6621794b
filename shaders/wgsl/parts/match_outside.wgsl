// The entries of the stack before a tile that its elements look at, from the top
// down: entry k is what the (k+1)-th close that reaches out of the tile closes.
//
//     begin where begin_search leaves off
//     window = the nodes from a multiple of `fan` up to there, a run for each thread
//     build a tree over the window
//     the window holds entry k?
//         of tiles:    every thread takes an entry, finds its tile by binary
//                      search from the root, and reads that tile's slice
//         of a level above:  go down into the node that holds it
//     else pass the window, and go up a level
//
// All that one window of tiles holds is found together, in at most (levels + 1)
// rounds. A window that is used up by one tile holds nothing for later ones, so all
// tiles together look at a few windows each, however deep the stack is.

// Entries lie in the slots that a code points to (see match_resolve): slot 0 holds
// NONE, the rest of the first PER_WORD nothing; then come blocks of PER_WORD entries,
// each from its last to its first.
const NEAR = (NEAR_ENTRIES + PER_WORD - 1u) / PER_WORD * PER_WORD + PER_WORD;

var<workgroup> near: array<u32, NEAR>;
var<workgroup> hit: Found;
// How many entries there are before the bottom of the stack. Where one other tile
// holds all, and they are too many to be near: that tile, how much its slice holds,
// and the place of entry 0 in it. Else no tile.
struct Source {
    entries: u32,
    tile: u32,
    held: u32,
    top: u32,
}
var<workgroup> source: Source;

// How far a search for entries is: the first `found` of `needed` are found, and
// entry `found` is `depth` below the top of the stack before node `end`.
struct Search {
    needed: u32,
    found: u32,
    end: u32,
    depth: u32,
}
var<workgroup> search: Search;

fn outside_slot(entry: u32) -> u32 {
    let last = entry % PER_WORD;
    return entry - last + 2u * PER_WORD - 1u - last;
}

// Entries that are not near wait in the upper end of the tile's own slice: the
// tile closes c of them and leaves its own open, together at most TILE. A slot is at
// most 2 * PER_WORD - 1 above its entry, and NEAR at least 3 * PER_WORD, so that
// slot - NEAR < c.
fn far_at(tile: u32, slot: u32) -> u32 {
    return plan.slices + tile * TILE + TILE - 1u - (slot - NEAR);
}

fn outside_store(tile: u32, entry: u32, item: u32) {
    let slot = outside_slot(entry);
    if slot < NEAR {
        near[slot] = item;
    } else {
        words[far_at(tile, slot)] = item;
    }
}

fn outside_load(tile: u32, slot: u32) -> u32 {
    var item = NONE;
    if slot < NEAR {
        item = near[slot];
    } else {
        // The inverse of outside_slot.
        let place = slot - PER_WORD;
        let last = place % PER_WORD;
        let entry = place - last + PER_WORD - 1u - last;
        if entry < source.entries {
            if source.tile != NONE {
                item = slice_item(source.tile, source.held, source.top - entry);
            } else {
                item = words[far_at(tile, slot)];
            }
        }
    }
    return item;
}

// What lies at a place of a tile's slice. A tile of opens alone has none: it leaves
// all its elements open.
fn slice_item(tile: u32, held: u32, place: u32) -> u32 {
    var item = tile * TILE + place;
    if held < TILE {
        item = words[plan.slices + item];
    }
    return item;
}

// Finds the entries that the tile's elements look at: one for each close that
// reaches out of it, and one below. Every thread takes the same way through this.
// Returns how many there are.
fn find_outside(tile: u32, thread: u32, lanes: u32, wanted: u32, early: Value) -> u32 {
    if thread == 0u {
        near[0] = NONE;
        source = Source(0u, NONE, 0u, 0u);
    }
    begin_search(tile, thread, lanes, wanted);
    let begun = workgroupUniformLoad(&search);
    let needed = begun.needed;
    var level = 0u;
    var end = begun.end;
    var found = begun.found;
    var depth = begun.depth;
    while end > 0u && found < needed {
        let first = parent(end - 1u) * fan();
        var node = early;
        if !EARLY || level > 0u || end < tile {
            node = pyramid_run(level, first + thread * plan.run, end);
        }
        block_build(thread, lanes, node);
        let window = workgroupUniformLoad(&block[1]);
        let inside = window.y - min(window.y, depth);
        if level > 0u && inside > 0u {
            if thread == 0u {
                let place = window_find(level, first, end, depth);
                hit = Found(place.node, place.depth);
            }
            let down = workgroupUniformLoad(&hit);
            level -= 1u;
            // A node before another one of its level is the product of all its own.
            end = (down.leaf + 1u) * fan();
            depth = down.depth;
            continue;
        }
        let count = min(inside, needed - found);
        var listed = count;
        if count > NEAR - PER_WORD && count == needed {
            if thread == 0u {
                source = one_source(first, end, depth, count);
            }
            if workgroupUniformLoad(&source).tile != NONE {
                listed = NEAR - PER_WORD;
            }
        }
        var at = Place(0u, 0u, 0u);
        for (var i = thread; i < listed; i += WORKGROUP_SIZE) {
            // Further down in the same tile, or by search.
            at.depth += WORKGROUP_SIZE;
            if at.depth >= at.held {
                at = window_find(0u, first, end, depth + i);
            }
            let item = slice_item(at.node, at.held, at.held - 1u - at.depth);
            outside_store(tile, found + i, item);
        }
        found += count;
        depth = depth + count + window.x - window.y;
        end = parent(first);
        level += 1u;
        workgroupBarrier();
    }
    for (var i = found + thread; i < min(needed, NEAR - PER_WORD); i += WORKGROUP_SIZE) {
        outside_store(tile, i, NONE);
    }
    if thread == 0u {
        source.entries = found;
    }
    return needed;
}

// What a tile of these closes needs. At the entry below them no element of a tile
// of closes alone looks.
fn needed_by(closes: u32) -> u32 {
    return min(closes + 1u, TILE);
}

// The tile of the window that holds all of `count` entries, and the place of the
// first in its slice; no tile where they lie in several.
fn one_source(first: u32, end: u32, depth: u32, count: u32) -> Source {
    let top = window_find(0u, first, end, depth);
    if top.depth + count > top.held {
        return Source(0u, NONE, 0u, 0u);
    }
    return Source(count, top.node, top.held, top.held - 1u - top.depth);
}

// A node of a level, how far below the top of its own opens an entry of the stack
// is, and how many opens it has.
struct Place {
    node: u32,
    depth: u32,
    held: u32,
}

// Where in the window the entry is that is `depth` below the top of the stack before
// `end`; the window holds it. First the thread, then the node of its run: the last
// that leaves more open, after what comes later.
fn window_find(level: u32, first: u32, end: u32, depth: u32) -> Place {
    let at = block_descend(1u, depth);
    let start = first + at.leaf * plan.run;
    var node = min(start + plan.run, end) - 1u;
    var value = block[BLOCK_LEAVES + at.leaf];
    if plan.run > 1u {
        value = pyramid_load(level, node);
    }
    var left = at.depth;
    while node > start && left >= value.y {
        left = left - value.y + value.x;
        node--;
        value = pyramid_load(level, node);
    }
    return Place(node, left, value.y);
}
