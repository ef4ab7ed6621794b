// span: contents of the nodes that begin in one tile and end in another, or never. Resolve has left them in parts.
//
//     near   workgroup  a tile
//     many   workgroup  SPAN_TILES tiles of a bundle, SPAN_THREADS threads each
//     thread            every SPAN_THREADS-th slot of its tile: an open that the tile leaves open
//
//     content = part of the begin: up to the end of its tile
//             , the tiles between
//             , part of the end: from the start of its tile
//
// The tiles between: near, a scan over the tiles after the workgroup's. Many, the rest of its bundle; a scan over the
// bundles after it; the first tiles of the end's bundle. With `groups` that scan ends with the group, and the groups
// between and the first bundles of the end's group follow (scan_groups.wgsl).
//
// It also stores the node indices of a scene. (Clips alone have no span; compact does so.)

import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::lib::chunks::{Thread, all_skip, rounds, thread_of, value};
import package::lib::{elements, roles, scratch, tile_products};
import package::lib::roles::NON_LOCAL;
@if(scene) import package::lib::marker_indices;
@if(few_markers) import package::lib::posts;
import package::lib::value::{Value, up_combine, up_identity};
@if(monoid) import package::monoid::{Output, product_store};
import package::layout::{Counts, Params, TreePlan};
import package::constants::{BUNDLE_TILES, NONE, SHARED_VALUES, SPAN_TILES, TILE, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> plan: TreePlan;
@if(few_markers) @group(0) @binding(3) var<uniform> counts: Counts;
@if(scene) @group(0) @binding(3) var<storage, read_write> counts: Counts;
@if(scene) @group(0) @binding(6) var<storage, read_write> markers_before: array<u32>;
@if(scene) @group(0) @binding(7) var<storage, read_write> marker_elements: array<u32>;
@if(!monoid) @group(0) @binding(10) var<storage, read_write> contents: array<vec4<f32>>;
@if(!monoid) @group(0) @binding(11) var<storage, read_write> bounds: array<vec4<f32>>;
@group(0) @binding(15) var<storage, read_write> words: array<u32>;
@group(0) @binding(16) var<storage, read_write> values: array<Value>;
@if(monoid) @group(0) @binding(18) var<storage, read_write> outputs: array<Output>;

const SPAN_THREADS = WORKGROUP_SIZE / SPAN_TILES;
// For each item (tile, or bundle) after the workgroup's: the product over the items of its chunk up to it.
var<workgroup> shared_values: array<Value, SHARED_VALUES>;

// A node by its slot, and what resolve has left of it.
struct Survivor {
    open: u32,
    // The element that ends it, or NONE.
    close: u32,
    open_part: Value,
    close_part: Value,
    is_local: bool,
    // Of a scene: the nodes' numbers. With entries, the elements of the scene, too.
    open_marker: u32,
    close_marker: u32,
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let first_tile = workgroup_index(workgroup) * SPAN_TILES;
    // The first tile runs even where there is no element: a scene counts.
    if first_tile >= max(elements::tile_count(), 1u) {
        return;
    }
    let t = thread_of(workgroup, local);
    let tile = first_tile + t.index / SPAN_THREADS;
    @if(scene) store_marker_indices(tile, t.index % SPAN_THREADS);

    // The first survivor is asked for before the scan, which it does not need.
    var slot = tile * TILE + t.index % SPAN_THREADS;
    var end_slot = 0u;
    var survivor: Survivor;
    if tile < elements::tile_count() {
        end_slot = tile * TILE + scratch::tile_load(tile).does.opens;
    }
    if slot < end_slot {
        survivor = survivor_in(tile, slot);
    }
    let item = first_tile / ITEM_TILES;
    scan_after(t, item);
    while slot < end_slot {
        join_parts(t, tile, survivor);
        slot += SPAN_THREADS;
        if slot < end_slot {
            survivor = survivor_in(tile, slot);
        }
    }
}

fn join_parts(t: Thread, tile: u32, survivor: Survivor) {
    let end_tile = select(survivor.close / TILE, elements::tile_count(), survivor.close == NONE);
    var content = up_combine(survivor.open_part, tiles_between(t, tile, end_tile));
    if survivor.close != NONE {
        content = up_combine(content, survivor.close_part);
        write_close(survivor, content);
    }
    write_open(survivor, content);
}

// ---------------------------------------------------------------------------------------------------------------------
// The tiles between

@if(near) const ITEM_TILES = 1u;
@else const ITEM_TILES = BUNDLE_TILES;

// All threads: thread i takes the i-th item after `item`, of which there are no more than threads. Chunks scan each by
// themselves, because there are few. Ends with a barrier.
fn scan_after(t: Thread, item: u32) {
    let later = item + 1u + t.index;
    let exists = later < items_end(item);
    // A chunk past the last item has nothing to scan.
    if !all_skip(t, !exists) {
        var product = up_identity();
        if exists {
            product = item_product(later);
        }
        for (var round = 0u; round < rounds(t); round++) {
            let width = 1u << round;
            let before = value(t, product, select(t.lane, t.lane - width, t.lane >= width));
            if t.lane >= width {
                product = up_combine(before, product);
            }
        }
        shared_values[t.index] = product;
    }
    workgroupBarrier();
}

// Past the last item that is scanned: of the stream, or of the group.
fn items_end(item: u32) -> u32 {
    @if(near) return elements::tile_count();
    @elif(groups) return min((item / WORKGROUP_SIZE + 1u) * WORKGROUP_SIZE, scratch::bundle_count());
    @else return scratch::bundle_count();
}

fn item_product(item: u32) -> Value {
    @if(near) return tile_products::of_tile(item);
    @elif(groups) return tile_products::stored_bundle(item);
    @else return tile_products::of_bundle(item);
}

// The product over the items after `item`, before `end`, at most items_end(item).
fn items_between(t: Thread, item: u32, end: u32) -> Value {
    var product = up_identity();
    if end <= item + 1u {
        return product;
    }
    let last = end - item - 2u;
    for (var chunk = t.lanes - 1u; chunk < last; chunk += t.lanes) {
        product = up_combine(product, shared_values[chunk]);
    }
    return up_combine(product, shared_values[last]);
}

// The product over the tiles after `tile`, before `end`.
fn tiles_between(t: Thread, tile: u32, end: u32) -> Value {
    @if(near) return items_between(t, tile, end);
    @else {
        let own = tile / BUNDLE_TILES;
        let other = end / BUNDLE_TILES;
        if other == own {
            return tile_products::of_tiles(tile + 1u, end);
        }
        let rest = tile_products::of_tiles(tile + 1u, (own + 1u) * BUNDLE_TILES);
        let between = up_combine(rest, bundles_between(t, own, other));
        return up_combine(between, tile_products::of_tiles(other * BUNDLE_TILES, end));
    }
}

@if(many)
fn bundles_between(t: Thread, own: u32, other: u32) -> Value {
    @if(!groups) return items_between(t, own, other);
    @else {
        let group = own / WORKGROUP_SIZE;
        let other_group = other / WORKGROUP_SIZE;
        if other_group == group {
            return items_between(t, own, other);
        }
        var product = items_between(t, own, (group + 1u) * WORKGROUP_SIZE);
        for (var between = group + 1u; between < other_group; between++) {
            product = up_combine(product, tile_products::stored_prefix((between + 1u) * WORKGROUP_SIZE - 1u));
        }
        if other % WORKGROUP_SIZE > 0u {
            product = up_combine(product, tile_products::stored_prefix(other - 1u));
        }
        return product;
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Parts in, contents out. Past the capacity of nodes nothing is written.

fn survivor_in(tile: u32, slot: u32) -> Survivor {
    var survivor: Survivor;
    survivor.open = scratch::slot_element(slot);
    survivor.close = scratch::slot_close(slot);
    @if(scene) {
        let marker = scratch::slot_open_marker(slot);
        survivor.open_marker = scratch::markers_before_tile(tile) + marker.x;
        survivor.close_marker = scratch::slot_close_marker(slot);
        survivor.is_local = (marker.y & NON_LOCAL) == 0u;
        // A node past the capacity has no part, and its product is not written.
        if survivor.open_marker < plan.marker_capacity {
            survivor.open_part = contents[survivor.open_marker];
        }
        if survivor.close != NONE && survivor.close_marker < plan.marker_capacity {
            survivor.close_part = contents[survivor.close_marker];
        }
    }
    @if(few_markers) {
        let begin = posts::load(survivor.open);
        survivor.open_marker = posts::marker(survivor.open, begin);
        survivor.is_local = (posts::role(begin) & NON_LOCAL) == 0u;
        survivor.open_part = contents[survivor.open_marker];
        if survivor.close != NONE {
            survivor.close_marker = posts::marker(survivor.close, posts::load(survivor.close));
            survivor.close_part = contents[survivor.close_marker];
        }
    }
    @if(in_place) {
        survivor.open_part = contents[survivor.open];
        if survivor.close != NONE {
            survivor.close_part = contents[survivor.close];
        }
    }
    @if(monoid) {
        survivor.open_part = values[plan.parts + survivor.open];
        if survivor.close != NONE {
            survivor.close_part = values[plan.parts + survivor.close];
        }
    }
    return survivor;
}

fn write_open(survivor: Survivor, content: Value) {
    @if(scene || few_markers) write_marker(survivor.open, survivor.open_marker, survivor.is_local, content);
    @if(in_place) contents[survivor.open] = content;
    @if(monoid) outputs[survivor.open] = product_store(content);
}

fn write_close(survivor: Survivor, content: Value) {
    @if(scene || few_markers) {
        write_marker(survivor.close, survivor.close_marker, survivor.is_local, content);
        // The begin of a non-local node has had its bounds since resolve.
        if !survivor.is_local {
            bounds[scene_element(survivor.close)] = bounds[scene_element(survivor.open)];
        }
    }
    @if(in_place) contents[survivor.close] = content;
    @if(monoid) outputs[survivor.close] = product_store(content);
}

@if(scene || few_markers)
fn write_marker(element: u32, marker: u32, is_local: bool, content: Value) {
    if marker < plan.marker_capacity {
        contents[marker] = content;
    }
    if is_local {
        bounds[scene_element(element)] = content;
    }
}

@if(scene)
fn scene_element(element: u32) -> u32 {
    return element;
}

@if(few_markers)
fn scene_element(post: u32) -> u32 {
    return posts::element(posts::load(post));
}

// By one of the SPAN_THREADS threads of a tile.
@if(scene)
fn store_marker_indices(tile: u32, thread: u32) {
    // The first tile stores the counts even where there is no element: of none nothing has been stored before.
    if elements::element_count() == 0u && tile == 0u && thread == 0u {
        marker_indices::store(0u, 0u, false);
    }
    if tile >= elements::tile_count() {
        return;
    }
    let before = scratch::markers_before_tile(tile);
    for (var place = thread; place < TILE; place += SPAN_THREADS) {
        let record = roles::load(tile * roles::RECORDS + place / 32u);
        let markers = before + roles::rank_in(record, place);
        marker_indices::store(tile * TILE + place, markers, roles::role_in(record, place) != 0u);
    }
}
