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
@if(scene) import package::lib::node_indices;
@if(entries) import package::lib::entries;
import package::lib::value::{Value, up_combine, up_identity};
@if(monoid) import package::monoid::{Output, product_store};
import package::layout::{Counts, Params, TreePlan};
import package::constants::{BUNDLE_TILES, NONE, SHARED_VALUES, SPAN_TILES, TILE, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> plan: TreePlan;
@if(entries) @group(0) @binding(3) var<uniform> counts: Counts;
@if(scene) @group(0) @binding(3) var<storage, read_write> counts: Counts;
@if(scene) @group(0) @binding(6) var<storage, read_write> nodes_before: array<u32>;
@if(scene) @group(0) @binding(7) var<storage, read_write> node_elements: array<u32>;
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
    begin: u32,
    // The element that ends it, or NONE.
    end: u32,
    begin_part: Value,
    end_part: Value,
    is_local: bool,
    // Of a scene: the nodes' numbers. With entries, the elements of the scene, too.
    begin_node: u32,
    end_node: u32,
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
    @if(scene) store_node_indices(tile, t.index % SPAN_THREADS);

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
    let end_tile = select(survivor.end / TILE, elements::tile_count(), survivor.end == NONE);
    var content = up_combine(survivor.begin_part, tiles_between(t, tile, end_tile));
    if survivor.end != NONE {
        content = up_combine(content, survivor.end_part);
        write_end(survivor, content);
    }
    write_begin(survivor, content);
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
    survivor.begin = scratch::slot_element(slot);
    survivor.end = scratch::slot_end(slot);
    @if(scene) {
        let node = scratch::slot_node(slot);
        survivor.begin_node = scratch::nodes_before_tile(tile) + node.x;
        survivor.end_node = scratch::slot_end_node(slot);
        survivor.is_local = (node.y & NON_LOCAL) == 0u;
        // A node past the capacity has no part, and its product is not written.
        if survivor.begin_node < plan.node_capacity {
            survivor.begin_part = contents[survivor.begin_node];
        }
        if survivor.end != NONE && survivor.end_node < plan.node_capacity {
            survivor.end_part = contents[survivor.end_node];
        }
    }
    @if(entries) {
        let begin = entries::load(survivor.begin);
        survivor.begin_node = entries::node(survivor.begin, begin);
        survivor.is_local = (entries::role(begin) & NON_LOCAL) == 0u;
        survivor.begin_part = contents[survivor.begin_node];
        if survivor.end != NONE {
            survivor.end_node = entries::node(survivor.end, entries::load(survivor.end));
            survivor.end_part = contents[survivor.end_node];
        }
    }
    @if(in_place) {
        survivor.begin_part = contents[survivor.begin];
        if survivor.end != NONE {
            survivor.end_part = contents[survivor.end];
        }
    }
    @if(monoid) {
        survivor.begin_part = values[plan.parts + survivor.begin];
        if survivor.end != NONE {
            survivor.end_part = values[plan.parts + survivor.end];
        }
    }
    return survivor;
}

fn write_begin(survivor: Survivor, content: Value) {
    @if(scene || entries) write_node(survivor.begin, survivor.begin_node, survivor.is_local, content);
    @if(in_place) contents[survivor.begin] = content;
    @if(monoid) outputs[survivor.begin] = product_store(content);
}

fn write_end(survivor: Survivor, content: Value) {
    @if(scene || entries) {
        write_node(survivor.end, survivor.end_node, survivor.is_local, content);
        // The begin of a non-local node has had its bounds since resolve.
        if !survivor.is_local {
            bounds[scene_element(survivor.end)] = bounds[scene_element(survivor.begin)];
        }
    }
    @if(in_place) contents[survivor.end] = content;
    @if(monoid) outputs[survivor.end] = product_store(content);
}

@if(scene || entries)
fn write_node(element: u32, node: u32, is_local: bool, content: Value) {
    if node < plan.node_capacity {
        contents[node] = content;
    }
    if is_local {
        bounds[scene_element(element)] = content;
    }
}

@if(scene)
fn scene_element(element: u32) -> u32 {
    return element;
}

@if(entries)
fn scene_element(entry: u32) -> u32 {
    return entries::element(entries::load(entry));
}

// By one of the SPAN_THREADS threads of a tile.
@if(scene)
fn store_node_indices(tile: u32, thread: u32) {
    // The first tile stores the counts even where there is no element: of none nothing has been stored before.
    if elements::element_count() == 0u && tile == 0u && thread == 0u {
        node_indices::store(0u, 0u, false);
    }
    if tile >= elements::tile_count() {
        return;
    }
    let before = scratch::nodes_before_tile(tile);
    for (var place = thread; place < TILE; place += SPAN_THREADS) {
        let record = roles::load(tile * roles::RECORDS + place / 32u);
        let nodes = before + roles::rank_in(record, place);
        node_indices::store(tile * TILE + place, nodes, roles::role_in(record, place) != 0u);
    }
}
