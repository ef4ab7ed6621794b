// The incoming stack of a tile, which is the stack that the earlier tiles leave. Finds the one open that an element needs,
// and the product that flows from that open.
//
//     one_tile   there is no earlier tile
//     near       each thread loads one earlier tile; together the threads find the stack (lib/siblings.wgsl)
//     many       spine has stored every open that the tile needs

import package::constants::{NONE, TILE};
import package::lib::{down_values, elements, scratch, siblings};
import package::lib::chunks::Thread;
import package::lib::stack::Link;
import package::value::{Value, down_combine, down_identity};

// An open of the incoming stack.
struct Incoming {
    // NONE below the bottom of the stack.
    element: u32,
    slot: u32,
    // The product of the path from the root to the open, which flows to its children; the root's value if there is no
    // open.
    @if(flows) value: Value,
    // The product that the open itself inherits, without its own value.
    @if(adapter) inherited: Value,
}

fn no_open() -> Incoming {
    var incoming: Incoming;
    incoming.element = NONE;
    @if(flows) incoming.value = elements::root_value();
    @if(adapter) incoming.inherited = elements::root_value();
    return incoming;
}

// Returns the open of a link if it is on the incoming stack, otherwise no_open().
@if(one_tile)
fn open_at(tile: u32, link: Link) -> Incoming {
    return no_open();
}

@if(!one_tile)
fn open_at(tile: u32, link: Link) -> Incoming {
    if link.at != NONE {
        return no_open();
    }
    return open_at_depth(tile, link.depth);
}

// ---------------------------------------------------------------------------------------------------------------------
// Near: there is at most one tile per thread

// Loads one earlier tile per thread, and scans over the tiles of the chunk. A barrier must follow.
fn begin_scan(tile: u32, t: Thread) -> siblings::ChunkScan {
    var own = scratch::no_sum();
    if t.index < tile {
        own = scratch::tile_load(t.index);
    }
    return siblings::scan_chunk(t, own);
}

// Scans over the chunks. Ends with a barrier, after which open_at() and markers_before() may be called.
@if(near)
fn finish_scan(tile: u32, t: Thread, scan: siblings::ChunkScan) {
    let held = siblings::scan_workgroup(t, scan, tile, 0u);
    var topmost = down_identity();
    @if(flows) {
        if held > 0u {
            topmost = down_values::of_slot(t.index * TILE + held - 1u);
        }
    }
    siblings::scan_values(t, topmost, tile, 0u);
}

// Returns the number of markers of the earlier tiles.
fn markers_before() -> u32 {
    return siblings::total(0u).markers;
}

// Finds the open with `depth` others above it on the incoming stack.
@if(near)
fn open_at_depth(tile: u32, depth: u32) -> Incoming {
    if depth >= siblings::total(0u).does.opens {
        return no_open();
    }
    let open = siblings::find(depth, tile, 0u);
    var incoming: Incoming;
    incoming.slot = open.sibling * TILE + open.rank;
    incoming.element = scratch::slot_element(incoming.slot);
    @if(flows) {
        let below = down_combine(elements::root_value(), siblings::below(open.sibling, 0u));
        incoming.value = down_combine(below, down_values::of_slot(incoming.slot));
        @if(adapter) {
            incoming.inherited = below;
            if open.rank > 0u {
                incoming.inherited = down_combine(below, down_values::of_slot(incoming.slot - 1u));
            }
        }
    }
    return incoming;
}

// ---------------------------------------------------------------------------------------------------------------------
// Many tiles

// Loads the open with `depth` others above it on the incoming stack. `depth` is at most the number of closes before the
// element in its tile, so it is less than TILE, and spine has stored an open for it, or NONE and the root's value.
@if(many)
fn open_at_depth(tile: u32, depth: u32) -> Incoming {
    var incoming: Incoming;
    incoming.slot = scratch::incoming_slot(tile, depth);
    incoming.element = scratch::incoming_element(tile, depth);
    @if(flows) {
        let closes = scratch::tile_load(tile).does.closes;
        incoming.value = down_values::of_incoming(tile, closes, depth);
        @if(adapter) {
            incoming.inherited = incoming.value;
            // No element needs `inherited` of an open that the tile does not close.
            if depth < closes {
                incoming.inherited = down_values::of_incoming(tile, closes, depth + 1u);
            }
        }
    }
    return incoming;
}

// Returns the value of an incoming open for a second use. With many tiles, reloads it for the few elements that still need it. Keeping
// it would take four registers per thread, and reduce the number of concurrent workgroups by a quarter.
fn value_again(tile: u32, incoming: Incoming, link: Link, is_needed: bool) -> Value {
    @if(many) {
        if !is_needed {
            return down_identity();
        }
        return down_values::of_incoming(tile, scratch::tile_load(tile).does.closes, link.depth);
    }
    @else return incoming.value;
}
