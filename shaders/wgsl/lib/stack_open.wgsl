// The opens of the stack that a bundle or a group leaves.

import package::kernel::words;
import package::constants::{BUNDLE_TILES, TILE, WORKGROUP_SIZE};
import package::lib::elements::tile_count;
import package::lib::scratch::{bundle_count, bundle_start, bundle_word, slot_element};
import package::layout::{BUNDLE_ABOVE, BUNDLE_HELD};
import package::value::{Value, down_combine};
import package::lib::down_values::{below_bundle, below_tile, of_slot};

struct StackOpen {
    slot: u32,
    element: u32,
    // The product along the stack that the bundle or group leaves, up to the open.
    @if(flows) value: Value,
}

// Finds the open with `rank` others below it on the stack that a bundle leaves. Its tile is the last one that does not start
// above it: starts ascend from tile to tile, because the opens that a tile holds are above those of earlier tiles. A tile
// that holds nothing starts where the next tile starts, or at the end of the stack, so it is never the last.
//
// Starts and `rank` are results of lane operations. Whatever they are, the tile exists, and the slot belongs to the tile.
fn of_bundle(bundle: u32, rank: u32) -> StackOpen {
    var tiles = 0u;
    var start = 0u;
    for (var at = 0u; at < BUNDLE_TILES; at++) {
        let next = bundle_start(bundle, at);
        if next <= rank {
            tiles++;
            start = next;
        }
    }
    // The first tile starts at the bottom, so `tiles` is at least 1.
    let tile = min(BUNDLE_TILES * bundle + max(tiles, 1u), tile_count()) - 1u;
    var found: StackOpen;
    found.slot = tile * TILE + min(rank - start, TILE - 1u);
    found.element = slot_element(found.slot);
    @if(flows) found.value = down_combine(below_tile(tile), of_slot(found.slot));
    return found;
}

// Finds the open with `depth` others above it on the stack that a group leaves. The stack must have more than `depth` opens.
// The open's bundle is the first one with at most `depth` opens above it.
fn of_group(group: u32, depth: u32) -> StackOpen {
    var low = group * WORKGROUP_SIZE;
    var high = min(low + WORKGROUP_SIZE, bundle_count()) - 1u;
    // Testing three places at a time, all below `high`, hides the memory latency.
    while low < high {
        let places = low + (high - low) * vec3<u32>(1u, 2u, 3u) / 4u;
        let is_it = vec3<bool>(above_of(places.x) <= depth, above_of(places.y) <= depth, above_of(places.z) <= depth);
        high = select(select(select(high, places.z, is_it.z), places.y, is_it.y), places.x, is_it.x);
        low = select(select(select(places.z + 1u, places.y + 1u, is_it.z), places.x + 1u, is_it.y), low, is_it.x);
    }
    let above = above_of(low);
    let held = words[bundle_word(low, BUNDLE_HELD)];
    var found = of_bundle(low, held - 1u - (depth - above));
    @if(flows) found.value = down_combine(below_bundle(low), found.value);
    return found;
}

// Returns the number of opens of the group's stack above those that a bundle holds. It decreases from bundle to bundle.
fn above_of(bundle: u32) -> u32 {
    return words[bundle_word(bundle, BUNDLE_ABOVE)];
}
