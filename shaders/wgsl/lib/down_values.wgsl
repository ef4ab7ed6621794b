// Products of the values that flow down, in scratch memory.
//
//     of a slot       from the bottom of the tile's slice up to the slot
//     below a tile    from the bundle's first open up to the opens that the tile holds on the bundle's stack
//     base            from the root up to a tile's slice. If the tile closes c opens of the incoming stack, this is the
//                     value of the incoming open at depth c.
//     of an incoming open   from the root up to and including the open at a depth less than c of the incoming stack
//     below a bundle  from the group's first open up to the opens that the bundle holds on the group's stack
//
// The values of a tile's incoming opens are in its slots, from the last slot down. They do not overlap the values of
// the slice: a tile that closes c opens leaves at most TILE - c of its own.

import package::kernel::{plan, values};
import package::constants::TILE;
import package::layout::{TILE_BASE, TILE_BELOW, TILE_VALUES};
import package::lib::scratch::existing_slot;
import package::value::Value;

fn of_slot(slot: u32) -> Value {
    return values[plan.slot_values + existing_slot(slot)];
}

fn of_slot_store(slot: u32, value: Value) {
    values[plan.slot_values + existing_slot(slot)] = value;
}

fn tile_value(tile: u32, field: u32) -> u32 {
    return plan.tile_values + TILE_VALUES * tile + field;
}

fn below_tile(tile: u32) -> Value {
    return values[tile_value(tile, TILE_BELOW)];
}

fn below_tile_store(tile: u32, value: Value) {
    values[tile_value(tile, TILE_BELOW)] = value;
}

fn base_store(tile: u32, value: Value) {
    values[tile_value(tile, TILE_BASE)] = value;
}

// Returns the index of an incoming open's value: the base, or a slot of the tile. `depth` is at most `closes`, which is at
// most TILE. Both are results of lane operations, so the slot is bounded.
fn incoming_at(tile: u32, closes: u32, depth: u32) -> u32 {
    let last_slot = (tile + 1u) * TILE - 1u;
    return select(plan.slot_values + last_slot - min(depth, TILE - 1u), tile_value(tile, TILE_BASE), depth == closes);
}

fn of_incoming(tile: u32, closes: u32, depth: u32) -> Value {
    return values[incoming_at(tile, closes, depth)];
}

fn of_incoming_store(tile: u32, closes: u32, depth: u32, value: Value) {
    values[incoming_at(tile, closes, depth)] = value;
}

fn below_bundle(bundle: u32) -> Value {
    return values[plan.bundle_values + bundle];
}

fn below_bundle_store(bundle: u32, value: Value) {
    values[plan.bundle_values + bundle] = value;
}
