// The values in scratch memory that flow down.
//
//     of a slot     the product along its tile's slice, up to the slot
//     below a tile  what flows under the entries that the tile holds of its bundle's stack, from the bundle's first on
//     base          what flows under a tile's slice, from the root on; of a tile that closes c entries of the stack
//                   before it, what flows from entry c
//     of an outer   what flows from entry `depth` of the stack before a tile, from the root on; depth < c
//     below a bundle  what flows under the entries that the bundle holds of its group's stack, from the group's first on
//
// A tile's outer values lie in its slots from the last one down. They do not meet the values of its slice: a tile that
// closes c entries leaves no more than TILE - c of its own open.

import package::kernel::{plan, values};
import package::constants::TILE;
import package::layout::{TILE_BASE, TILE_BELOW, TILE_VALUES};
import package::lib::value::Value;

fn of_slot(slot: u32) -> Value {
    return values[plan.slot_values + slot];
}

fn of_slot_store(slot: u32, value: Value) {
    values[plan.slot_values + slot] = value;
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

// Where an outer value lies: the base, or a slot of the tile. `depth` is at most `closes`, which is at most TILE.
fn incoming_at(tile: u32, closes: u32, depth: u32) -> u32 {
    let last_slot = (tile + 1u) * TILE - 1u;
    return select(plan.slot_values + last_slot - depth, tile_value(tile, TILE_BASE), depth == closes);
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
