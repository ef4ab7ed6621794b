// Tables of tiles, bundles and groups in scratch memory. The table of roles is in lib/roles.wgsl, the compacted stream in
// lib/posts.wgsl, and values are in lib/down_values.wgsl and lib/tile_products.wgsl.
//
//     tile     TILE consecutive elements: a workgroup of most kernels
//     bundle   BUNDLE_TILES consecutive tiles
//     group    WORKGROUP_SIZE consecutive bundles
//
// The opens that a tile leaves are its *slice*, bottom first. The open with r others of the slice below it has the
// *slot* tile * TILE + r. Later tiles close a slice only from its top.
//
// The tables are regions of one buffer, because the number of buffers that a kernel can bind is limited. Rust emits the
// offset of each field (package::layout) and sizes the buffer for all records of the capacity. In bounds: callers compare
// tiles, bundles and groups with their counts, and a slice has at most TILE opens.
//
// Most words in these tables are results of lane operations, on which no index may rely (lib/chunks.wgsl). So slots and
// depths are bounded here, where they become indices, and the opens and closes of a tile where they are loaded.

import package::kernel::{plan, words};
import package::constants::{BUNDLE_TILES, BUNDLE_WORDS, NONE, SLOT_WORDS, TILE, WORKGROUP_SIZE};
import package::layout::{
    BUNDLE_CLOSES, BUNDLE_MARKERS, BUNDLE_OPENS, BUNDLE_STARTS,
    GROUP_CLOSES, GROUP_MARKERS, GROUP_OPENS, GROUP_WORDS,
    INCOMING_ELEMENT, INCOMING_SLOT, INCOMING_WORDS,
    SLOT_CLOSE, SLOT_CLOSE_MARKER, SLOT_ELEMENT, SLOT_OPEN_MARKER,
    TILE_CLOSES, TILE_MARKERS, TILE_MARKERS_BEFORE, TILE_OPENS, TILE_WORDS,
};
import package::lib::bicyclic::{Bicyclic, IDENTITY};
import package::lib::elements::{tile_count, tiles_of};

// The effect of consecutive elements on the stack, and the number of markers among them.
struct Sum {
    does: Bicyclic,
    markers: u32,
}

fn no_sum() -> Sum {
    return Sum(IDENTITY, 0u);
}

fn tile_word(tile: u32, field: u32) -> u32 {
    return plan.tiles + TILE_WORDS * tile + field;
}

// Clamps the closes and opens to TILE, the maximum for a tile, in case the stored values are wrong.
fn tile_load(tile: u32) -> Sum {
    return Sum(
        Bicyclic(min(words[tile_word(tile, TILE_CLOSES)], TILE), min(words[tile_word(tile, TILE_OPENS)], TILE)),
        words[tile_word(tile, TILE_MARKERS)],
    );
}

fn tile_store(tile: u32, sum: Sum) {
    words[tile_word(tile, TILE_CLOSES)] = sum.does.closes;
    words[tile_word(tile, TILE_OPENS)] = sum.does.opens;
    words[tile_word(tile, TILE_MARKERS)] = sum.markers;
}

// Returns the number of markers before a tile. Scenes only.
fn markers_before_tile(tile: u32) -> u32 {
    return words[tile_word(tile, TILE_MARKERS_BEFORE)];
}

fn markers_before_tile_store(tile: u32, markers: u32) {
    words[tile_word(tile, TILE_MARKERS_BEFORE)] = markers;
}

// Clamps a slot to the last slot of the capacity. There is at least one slot, because kernels return early if there are no
// tiles.
fn existing_slot(slot: u32) -> u32 {
    return min(slot, tiles_of(plan.element_capacity) * TILE - 1u);
}

// Returns the index of a word of a slot. A slot contains an open and its close, which is NONE until it is known.
fn slot_word(slot: u32, field: u32) -> u32 {
    return plan.slots + SLOT_WORDS * existing_slot(slot) + field;
}

fn slot_element(slot: u32) -> u32 {
    return words[slot_word(slot, SLOT_ELEMENT)];
}

fn slot_element_store(slot: u32, element: u32) {
    words[slot_word(slot, SLOT_ELEMENT)] = element;
}

fn slot_close(slot: u32) -> u32 {
    return words[slot_word(slot, SLOT_CLOSE)];
}

fn slot_close_clear(slot: u32) {
    words[slot_word(slot, SLOT_CLOSE)] = NONE;
}

// Stores the close; for a scene, also its index among all markers.
fn slot_close_store(slot: u32, close: u32, marker: u32) {
    words[slot_word(slot, SLOT_CLOSE)] = close;
    @if(scene) words[slot_word(slot, SLOT_CLOSE_MARKER)] = marker;
}

// Returns the open's index among the markers of its tile, less than 2^16, and its role. Scenes only.
fn slot_open_marker(slot: u32) -> vec2<u32> {
    let word = words[slot_word(slot, SLOT_OPEN_MARKER)];
    return vec2<u32>(word & 0xffffu, word >> 16u);
}

fn slot_open_marker_store(slot: u32, marker_in_tile: u32, role: u32) {
    words[slot_word(slot, SLOT_OPEN_MARKER)] = marker_in_tile | (role << 16u);
}

// Returns the close's index among all markers. Scenes only.
fn slot_close_marker(slot: u32) -> u32 {
    return words[slot_word(slot, SLOT_CLOSE_MARKER)];
}

// Returns the index of a word about the open with `depth` others above it on the incoming stack of a tile: its slot or its
// element, both NONE below the bottom of the stack. `depth` should be less than TILE. It is clamped, because it may be a
// result of lane operations.
fn incoming_word(tile: u32, depth: u32, field: u32) -> u32 {
    return plan.incoming + INCOMING_WORDS * (tile * TILE + min(depth, TILE - 1u)) + field;
}

fn incoming_slot(tile: u32, depth: u32) -> u32 {
    return words[incoming_word(tile, depth, INCOMING_SLOT)];
}

fn incoming_element(tile: u32, depth: u32) -> u32 {
    return words[incoming_word(tile, depth, INCOMING_ELEMENT)];
}

fn incoming_store(tile: u32, depth: u32, slot: u32, element: u32) {
    words[incoming_word(tile, depth, INCOMING_SLOT)] = slot;
    words[incoming_word(tile, depth, INCOMING_ELEMENT)] = element;
}

fn bundles_of(tiles: u32) -> u32 {
    return (tiles + BUNDLE_TILES - 1u) / BUNDLE_TILES;
}

fn bundle_count() -> u32 {
    return bundles_of(tile_count());
}

fn bundle_word(bundle: u32, field: u32) -> u32 {
    return plan.bundles + BUNDLE_WORDS * bundle + field;
}

fn bundle_load(bundle: u32) -> Sum {
    return Sum(
        Bicyclic(words[bundle_word(bundle, BUNDLE_CLOSES)], words[bundle_word(bundle, BUNDLE_OPENS)]),
        words[bundle_word(bundle, BUNDLE_MARKERS)],
    );
}

fn bundle_store(bundle: u32, sum: Sum) {
    words[bundle_word(bundle, BUNDLE_CLOSES)] = sum.does.closes;
    words[bundle_word(bundle, BUNDLE_OPENS)] = sum.does.opens;
    words[bundle_word(bundle, BUNDLE_MARKERS)] = sum.markers;
}

// Returns, for the stack that a bundle leaves, the number of opens below those that its tile `at` holds. `at` is less than
// BUNDLE_TILES.
fn bundle_start(bundle: u32, at: u32) -> u32 {
    return words[bundle_word(bundle, BUNDLE_STARTS + at)];
}

fn bundle_start_store(bundle: u32, at: u32, start: u32) {
    words[bundle_word(bundle, BUNDLE_STARTS + at)] = start;
}

fn group_count() -> u32 {
    return (bundle_count() + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
}

fn group_word(group: u32, field: u32) -> u32 {
    return plan.groups + GROUP_WORDS * group + field;
}

fn group_load(group: u32) -> Sum {
    return Sum(
        Bicyclic(words[group_word(group, GROUP_CLOSES)], words[group_word(group, GROUP_OPENS)]),
        words[group_word(group, GROUP_MARKERS)],
    );
}

fn group_store(group: u32, sum: Sum) {
    words[group_word(group, GROUP_CLOSES)] = sum.does.closes;
    words[group_word(group, GROUP_OPENS)] = sum.does.opens;
    words[group_word(group, GROUP_MARKERS)] = sum.markers;
}
