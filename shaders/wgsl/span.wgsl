// span: joins the parts of the contents of nodes that open in one tile and close in another, or never. resolve has stored
// the parts.
//
//     near   workgroup  one tile
//     many   workgroup  SPAN_TILES tiles of a bundle, with SPAN_THREADS threads each
//     thread            every SPAN_THREADS-th slot of its tile: a *survivor*, which is an open that the tile leaves
//     chunk             scans later tiles or bundles
//
//     content = part of the open: from the open to the end of its tile
//             * product over the tiles between
//             * part of the close: from the start of its tile to the close
//
// With `near`, the product over the tiles between comes from a scan over the tiles after the workgroup's. With `many`, it
// consists of the rest of the open's bundle, a scan over the bundles after it, and the first tiles of the close's bundle.
// With `groups`, the scan stops at the end of the group, and is followed by the groups between and the first bundles of
// the close's group (scan_groups.wgsl).
//
// span also stores the marker indices of a scene. For clips alone there is no span, and compact stores them.

import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::lib::chunks::{Thread, all_skip, rounds, thread_of, value};
import package::lib::{beyond, elements, marker_indices, roles, scratch, shared, tile_products};
import package::value::{Content, Value, content_beside, content_of, up_combine, up_identity};
import package::answers::{with_parts, write_close, write_open};
import package::monoid::Output;
import package::layout::{Counts, Params, TreePlan};
import package::constants::{BUNDLE_TILES, NONE, SPAN_TILES, STATUS_FILTERS_TOO_DEEP, TILE, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> plan: TreePlan;
@if(few_markers) @group(0) @binding(52) var<uniform> frame_counts: Counts;
@group(0) @binding(3) var<storage, read_write> counts: Counts;
@group(0) @binding(6) var<storage, read_write> markers_before: array<u32>;
@group(0) @binding(7) var<storage, read_write> marker_elements: array<u32>;
@group(0) @binding(10) var<storage, read_write> contents: array<vec4<f32>>;
@group(0) @binding(11) var<storage, read_write> boxes: array<vec4<f32>>;
@group(0) @binding(15) var<storage, read_write> words: array<u32>;
@group(0) @binding(16) var<storage, read_write> values: array<Value>;
@group(0) @binding(18) var<storage, read_write> outputs: array<Output>;

const SPAN_THREADS = WORKGROUP_SIZE / SPAN_TILES;

// Scans run over *units*, which are tiles with `near`, otherwise bundles.
@if(near) const UNIT_TILES = 1u;
@else const UNIT_TILES = BUNDLE_TILES;

// Workgroup memory (lib/shared.wgsl) contains, for each unit after the workgroup's, the product over the units of its chunk
// up to and including it.

// A node that extends beyond its open's tile, and the parts of its content that resolve has stored.
struct Survivor {
    open: u32,
    // NONE if the node is unclosed.
    close: u32,
    open_part: Content,
    close_part: Content,
    // With filters: on which side of a filter the content is (lib/answers_filtered.wgsl).
    side: u32,
    is_local: bool,
    // For scenes, including those with few markers: the marker indices of the open and the close.
    open_marker: u32,
    close_marker: u32,
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let first_tile = workgroup_index(workgroup) * SPAN_TILES;
    // Without elements, the first tile of a scene still stores the counts.
    if first_tile >= max(elements::tile_count(), 1u) {
        return;
    }
    let t = thread_of(workgroup, local);
    let tile = first_tile + t.index / SPAN_THREADS;
    @if(scene) store_marker_indices(tile, t.index % SPAN_THREADS);

    // The first survivor is loaded before the scan, which it does not depend on.
    var slot = tile * TILE + t.index % SPAN_THREADS;
    var end_slot = 0u;
    var survivor: Survivor;
    if tile < elements::tile_count() {
        end_slot = tile * TILE + scratch::tile_load(tile).does.opens;
    }
    if slot < end_slot {
        survivor = survivor_in(tile, slot);
    }
    let unit = first_tile / UNIT_TILES;
    scan_after(t, unit);
    @if(filters && !in_place) {
        if first_tile == 0u && t.index == 0u {
            store_status(t);
        }
    }
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
    let between = tiles_between(t, tile, end_tile);
    var content = content_beside(survivor.open_part, content_of(between, survivor.side), false);
    if survivor.close == NONE {
        content = beyond::content_of_unclosed(content);
    } else {
        content = content_beside(content, survivor.close_part, false);
        write_close(survivor, content);
    }
    write_open(survivor, content);
}

// ---------------------------------------------------------------------------------------------------------------------
// The tiles between

// Scans the units after `unit`, one per thread. Each chunk is scanned separately, because there are few chunks. All threads
// call it; it ends with a barrier.
fn scan_after(t: Thread, unit: u32) {
    let later = unit + 1u + t.index;
    let exists = later < units_end(unit);
    // A chunk past the last unit has nothing to scan.
    if !all_skip(t, !exists) {
        var product = up_identity();
        if exists {
            product = unit_product(later);
        }
        // Lanes have reconverged after the loops in unit_product() (lib/chunks.wgsl).
        for (var round = 0u; round < rounds(t); round++) {
            let width = 1u << round;
            let before = value(t, product, select(t.lane, t.lane - width, t.lane >= width));
            if t.lane >= width {
                product = up_combine(before, product);
            }
        }
        shared::store(t.index, product);
    }
    workgroupBarrier();
}

// Returns the end of the scanned units: the end of the stream, or of the group.
fn units_end(unit: u32) -> u32 {
    @if(near) return elements::tile_count();
    @elif(groups) return min((unit / WORKGROUP_SIZE + 1u) * WORKGROUP_SIZE, scratch::bundle_count());
    @else return scratch::bundle_count();
}

fn unit_product(unit: u32) -> Value {
    @if(near) return tile_products::of_tile(unit);
    @elif(groups) return tile_products::stored_bundle(unit);
    @else return tile_products::of_bundle(unit);
}

// Returns the product over the units after `unit` and before `end`, which is at most units_end(unit).
fn units_between(t: Thread, unit: u32, end: u32) -> Value {
    var product = up_identity();
    if end <= unit + 1u {
        return product;
    }
    let last = end - unit - 2u;
    for (var chunk = t.lanes - 1u; chunk < last; chunk += t.lanes) {
        product = up_combine(product, shared::load(chunk));
    }
    return up_combine(product, shared::load(last));
}

// Returns the product over the tiles after `tile` and before `end`.
fn tiles_between(t: Thread, tile: u32, end: u32) -> Value {
    @if(near) return units_between(t, tile, end);
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

fn bundles_between(t: Thread, own: u32, other: u32) -> Value {
    @if(!groups) return units_between(t, own, other);
    @else {
        let group = own / WORKGROUP_SIZE;
        let other_group = other / WORKGROUP_SIZE;
        if other_group == group {
            return units_between(t, own, other);
        }
        var product = units_between(t, own, (group + 1u) * WORKGROUP_SIZE);
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
// Parts in, contents out (lib/answers_shared.wgsl)

fn survivor_in(tile: u32, slot: u32) -> Survivor {
    var survivor: Survivor;
    // The open and the close are results of lane operations and become indices, so they are bounded: both are elements of
    // the stream, and the close is not in an earlier tile.
    let count = elements::element_count();
    survivor.open = min(scratch::slot_element(slot), count - 1u);
    let close = scratch::slot_close(slot);
    survivor.close = select(NONE, close, close >= tile * TILE && close < count);
    return with_parts(survivor, tile, slot);
}

// Stores whether any element has two filters around it, which is known after the scan. Without few markers, also stores the
// other counts. Called by the first thread.
@if(filters)
fn store_status(t: Thread) {
    let tiles = elements::tile_count();
    var is_too_deep = false;
    if tiles > 0u {
        is_too_deep = up_combine(tile_products::of_tile(0u), tiles_between(t, 0u, tiles)).word != 0u;
    }
    @if(few_markers) {
        if is_too_deep {
            counts.status |= STATUS_FILTERS_TOO_DEEP;
        }
    }
    @else {
        var markers = 0u;
        if tiles > 0u {
            markers = scratch::markers_before_tile(tiles - 1u) + scratch::tile_load(tiles - 1u).markers;
        }
        marker_indices::store_counts(markers, is_too_deep);
    }
}

// Each of the SPAN_THREADS threads of a tile stores its share of the marker indices.
fn store_marker_indices(tile: u32, thread: u32) {
    // Without elements, the scratch memory is not initialized, so it is not read, but the first tile stores the counts.
    @if(!filters) {
        if tile == 0u && thread == 0u && elements::element_count() == 0u {
            marker_indices::store(0u, 0u, false);
        }
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
