// An entry of the stack that a bundle or a group leaves: its slot, and what flows from it.

import package::kernel::words;
import package::constants::{BUNDLE_TILES, TILE, WORKGROUP_SIZE};
import package::lib::scratch::{bundle_count, bundle_end, bundle_load, bundle_word};
import package::layout::{BUNDLE_ABOVE, BUNDLE_HELD};
@if(flows) import package::lib::value::{Value, down_combine};
@if(flows) import package::lib::down_values::{below_bundle, below_tile, of_slot};

struct StackEntry {
    slot: u32,
    // From the first of the bundle's or group's entries on.
    @if(flows) value: Value,
}

// The entry `depth` below the top of what a bundle leaves; there is one. Its tile is the last whose end lies deeper: ends
// descend from tile to tile, because what a tile holds lies above what earlier tiles hold.
fn of_bundle(bundle: u32, depth: u32) -> StackEntry {
    var deeper = 0u;
    var nearest = 0xffffffffu;
    for (var at = 0u; at < BUNDLE_TILES; at++) {
        let end = bundle_end(bundle, at);
        if end > depth {
            deeper++;
            nearest = min(nearest, end);
        }
    }
    let tile = BUNDLE_TILES * bundle + deeper - 1u;
    var found: StackEntry;
    found.slot = tile * TILE + nearest - 1u - depth;
    @if(flows) found.value = down_combine(below_tile(tile), of_slot(found.slot));
    return found;
}

// The entry `depth` below the top of what a group leaves; there is one. Its bundle is the first with no more entries above.
@if(groups)
fn of_group(group: u32, depth: u32) -> StackEntry {
    var low = group * WORKGROUP_SIZE;
    var high = min(low + WORKGROUP_SIZE, bundle_count()) - 1u;
    // Asks in three places at a time, all below `high`: memory answers late.
    while low < high {
        let places = low + (high - low) * vec3<u32>(1u, 2u, 3u) / 4u;
        let is_it = vec3<bool>(above_of(places.x) <= depth, above_of(places.y) <= depth, above_of(places.z) <= depth);
        high = select(select(select(high, places.z, is_it.z), places.y, is_it.y), places.x, is_it.x);
        low = select(select(select(places.z + 1u, places.y + 1u, is_it.z), places.x + 1u, is_it.y), low, is_it.x);
    }
    let above = above_of(low);
    let held = words[bundle_word(low, BUNDLE_HELD)];
    var found = of_bundle(low, depth - above + bundle_load(low).does.opens - held);
    @if(flows) found.value = down_combine(below_bundle(low), found.value);
    return found;
}

// How many entries of the group's stack lie above those that a bundle holds: descends from bundle to bundle.
@if(groups)
fn above_of(bundle: u32) -> u32 {
    return words[bundle_word(bundle, BUNDLE_ABOVE)];
}
