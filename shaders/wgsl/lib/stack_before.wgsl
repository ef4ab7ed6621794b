// The stack before a tile: the one entry of it that an element looks at, and what flows from that entry.
//
//     one_tile   there is no earlier tile
//     near       each thread looks at one earlier tile; together they find the stack that these leave (lib/siblings.wgsl)
//     many       spine has stored every entry that the tile looks at

import package::constants::{NONE, TILE};
import package::lib::elements;
import package::lib::stack::Top;
@if(!one_tile) import package::lib::scratch;
@if(!one_tile && flows) import package::lib::down_values;
@if(near) import package::lib::siblings;
@if(near) import package::lib::chunks::Thread;
@if(flows) import package::lib::value::{Value, down_combine, down_identity};

// An open of an earlier tile, which an element of this tile has on top.
struct Outer {
    // NONE where the stack has no such entry.
    element: u32,
    slot: u32,
    // What flows from it, from the root on; the root's own where there is no entry.
    @if(flows) value: Value,
    // What flows to it.
    @if(host) around: Value,
}

fn nothing() -> Outer {
    var outer: Outer;
    outer.element = NONE;
    @if(flows) outer.value = elements::root_value();
    @if(host) outer.around = elements::root_value();
    return outer;
}

// The entry of an earlier tile that an element looks at, if it looks at one. `around_open` is the open from which what
// flows to the element comes: its top, or of a host's end whose begin is in the tile, the begin's top.
fn outer_of(tile: u32, around_open: Top) -> Outer {
    @if(one_tile) return nothing();
    @else {
        if around_open.at != NONE {
            return nothing();
        }
        return outer_at(tile, around_open.depth);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Near: there are no more tiles than threads

// What the thread's earlier tile does, if it has one. A barrier must follow.
@if(near)
fn note_earlier_tile(tile: u32, t: Thread) -> siblings::Noted {
    var own = scratch::no_sum();
    if t.index < tile {
        own = scratch::tile_load(t.index);
    }
    return siblings::note(t, own);
}

// The stack that the earlier tiles leave. Ends with a barrier; outer_of() and markers_before() may be asked then.
@if(near)
fn join_earlier_tiles(tile: u32, t: Thread, noted: siblings::Noted) {
    let held = siblings::hold(t, noted, tile, 0u);
    @if(flows) {
        var topmost = down_identity();
        if held > 0u {
            topmost = down_values::of_slot(t.index * TILE + held - 1u);
        }
        siblings::flow(t, topmost, tile, 0u);
    }
    @else workgroupBarrier();
}

// Nodes of the earlier tiles.
@if(near)
fn markers_before() -> u32 {
    return siblings::total(0u).markers;
}

// The entry `depth` below the top of the stack before the tile.
@if(near)
fn outer_at(tile: u32, depth: u32) -> Outer {
    if depth >= siblings::total(0u).does.opens {
        return nothing();
    }
    let open = siblings::find(depth, tile, 0u);
    var outer: Outer;
    outer.slot = open.sibling * TILE + open.rank;
    outer.element = scratch::slot_element(outer.slot);
    @if(flows) {
        let under = down_combine(elements::root_value(), siblings::below(open.sibling, 0u));
        outer.value = down_combine(under, down_values::of_slot(outer.slot));
        @if(host) {
            outer.around = under;
            if open.rank > 0u {
                outer.around = down_combine(under, down_values::of_slot(outer.slot - 1u));
            }
        }
    }
    return outer;
}

// ---------------------------------------------------------------------------------------------------------------------
// Many tiles

// The same entry, as spine has stored it. `depth` is at most the number of closes before the element in its tile, so it is
// below TILE. Spine has stored every such entry, and a value even where there is none.
@if(many)
fn outer_at(tile: u32, depth: u32) -> Outer {
    var outer: Outer;
    outer.slot = scratch::outer_slot(tile, depth);
    outer.element = scratch::outer_element(tile, depth);
    @if(flows) {
        let closes = scratch::tile_load(tile).does.closes;
        outer.value = down_values::of_outer(tile, closes, depth);
        @if(host) {
            outer.around = outer.value;
            // Below all that the tile closes nobody asks what is around.
            if depth < closes {
                outer.around = down_values::of_outer(tile, closes, depth + 1u);
            }
        }
    }
    return outer;
}
