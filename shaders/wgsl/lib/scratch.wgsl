// The tables in scratch memory that tell of tiles, bundles and groups. (Roles: lib/roles.wgsl. Entries: lib/entries.wgsl.)
//
//     tile     TILE consecutive elements, a workgroup of most kernels
//     bundle   BUNDLE_TILES consecutive tiles
//     group    WORKGROUP_SIZE consecutive bundles
//
// A tile leaves some opens open. They are its *slice*, bottom first: the open with r others of the slice below it has
// the *slot* tile * TILE + r. Later tiles only ever close a slice from its top.
//
// Records are consecutive words, because a kernel may bind too few buffers for an array each. Rust emits the offset of
// each field (package::layout), and sizes the buffers for every record of the capacity. In bounds: tiles, bundles and
// groups are compared with their counts, and a slice has no more than TILE opens.

import package::kernel::{plan, words};
import package::constants::{BUNDLE_TILES, BUNDLE_WORDS, SLOT_WORDS, TILE, WORKGROUP_SIZE};
import package::layout::{
    BUNDLE_CLOSES, BUNDLE_MARKERS, BUNDLE_OPENS, BUNDLE_STARTS,
    GROUP_CLOSES, GROUP_MARKERS, GROUP_OPENS, GROUP_WORDS,
    OUTER_ELEMENT, OUTER_SLOT, OUTER_WORDS,
    SLOT_ELEMENT, SLOT_CLOSE, SLOT_CLOSE_MARKER, SLOT_OPEN_MARKER,
    TILE_CLOSES, TILE_MARKERS, TILE_MARKERS_BEFORE, TILE_OPENS, TILE_WORDS,
};
import package::lib::bicyclic::{Bicyclic, IDENTITY};
import package::lib::elements::tile_count;

// What a run of elements does to the stack, and how many nodes it has.
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

fn tile_load(tile: u32) -> Sum {
    return Sum(
        Bicyclic(words[tile_word(tile, TILE_CLOSES)], words[tile_word(tile, TILE_OPENS)]),
        words[tile_word(tile, TILE_MARKERS)],
    );
}

fn tile_store(tile: u32, sum: Sum) {
    words[tile_word(tile, TILE_CLOSES)] = sum.does.closes;
    words[tile_word(tile, TILE_OPENS)] = sum.does.opens;
    words[tile_word(tile, TILE_MARKERS)] = sum.markers;
}

// Nodes of the stream before a tile: scenes alone have it.
fn markers_before_tile(tile: u32) -> u32 {
    return words[tile_word(tile, TILE_MARKERS_BEFORE)];
}

fn markers_before_tile_store(tile: u32, markers: u32) {
    words[tile_word(tile, TILE_MARKERS_BEFORE)] = markers;
}

// A slot: the open, and where it ends once that is known, else NONE.
fn slot_word(slot: u32, field: u32) -> u32 {
    return plan.slots + SLOT_WORDS * slot + field;
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

fn slot_close_store(slot: u32, end: u32) {
    words[slot_word(slot, SLOT_CLOSE)] = end;
}

// Of a scene: the open's number among the nodes of its tile, fewer than 2^16, and its role.
fn slot_open_marker(slot: u32) -> vec2<u32> {
    let word = words[slot_word(slot, SLOT_OPEN_MARKER)];
    return vec2<u32>(word & 0xffffu, word >> 16u);
}

fn slot_open_marker_store(slot: u32, marker_in_tile: u32, role: u32) {
    words[slot_word(slot, SLOT_OPEN_MARKER)] = marker_in_tile | (role << 16u);
}

// Of a scene: the end's number among all nodes.
fn slot_close_marker(slot: u32) -> u32 {
    return words[slot_word(slot, SLOT_CLOSE_MARKER)];
}

fn slot_close_marker_store(slot: u32, marker: u32) {
    words[slot_word(slot, SLOT_CLOSE_MARKER)] = marker;
}

// The stack before a tile, as far down as its elements look: the entry `depth` below its top. The slot and the open, both
// NONE where there is no such entry. `depth` is below TILE.
fn outer_word(tile: u32, depth: u32, field: u32) -> u32 {
    return plan.outers + OUTER_WORDS * (tile * TILE + depth) + field;
}

fn outer_slot(tile: u32, depth: u32) -> u32 {
    return words[outer_word(tile, depth, OUTER_SLOT)];
}

fn outer_element(tile: u32, depth: u32) -> u32 {
    return words[outer_word(tile, depth, OUTER_ELEMENT)];
}

fn outer_store(tile: u32, depth: u32, slot: u32, element: u32) {
    words[outer_word(tile, depth, OUTER_SLOT)] = slot;
    words[outer_word(tile, depth, OUTER_ELEMENT)] = element;
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

// Of the stack that a bundle leaves: how many entries lie below those that one of its tiles holds. `at` is below
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
