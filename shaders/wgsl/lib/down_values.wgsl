// The values in scratch memory that flow down.
//
//     of a slot     the product along its tile's slice, up to the slot
//     below a tile  what flows under the entries that the tile holds of its bundle's stack, from the bundle's first on
//     base          what flows under a tile's slice, from the root on; of a tile that closes c entries of the stack
//                   before it, what flows from entry c
//     of an outer   what flows from entry `depth` of the stack before a tile, from the root on; depth < c
//     below a bundle  what flows under the entries that the bundle holds of its group's stack, from the group's first on
//
// A tile's outer values lie in its slots from the last one down. There is room for both: a tile that closes c entries
// leaves no more than TILE - c of its own open.

import package::kernel::{plan, values};
import package::constants::TILE;
import package::lib::value::Value;

fn of_slot(slot: u32) -> Value {
    return values[plan.slot_values + slot];
}

fn of_slot_store(slot: u32, value: Value) {
    values[plan.slot_values + slot] = value;
}

fn below_tile(tile: u32) -> Value {
    return values[plan.tile_values + 2u * tile];
}

fn below_tile_store(tile: u32, value: Value) {
    values[plan.tile_values + 2u * tile] = value;
}

fn base_store(tile: u32, value: Value) {
    values[plan.tile_values + 2u * tile + 1u] = value;
}

// `depth` is at most `closes`, which is at most TILE.
fn outer_at(tile: u32, closes: u32, depth: u32) -> u32 {
    return select(plan.slot_values + (tile + 1u) * TILE - 1u - depth, plan.tile_values + 2u * tile + 1u, depth == closes);
}

fn of_outer(tile: u32, closes: u32, depth: u32) -> Value {
    return values[outer_at(tile, closes, depth)];
}

fn of_outer_store(tile: u32, closes: u32, depth: u32, value: Value) {
    values[outer_at(tile, closes, depth)] = value;
}

fn below_bundle(bundle: u32) -> Value {
    return values[plan.bundle_values + bundle];
}

fn below_bundle_store(bundle: u32, value: Value) {
    values[plan.bundle_values + bundle] = value;
}
