// spine: the stack before each tile, as far down as the tile's elements look, and what flows from each of its entries.
//
//     workgroup  SPINE_TILES consecutive tiles: a bundle; with `groups`, up to four bundles, which share one look at all
//                that is earlier
//     thread     an earlier bundle of the group; with `groups`, a run of earlier groups, too; then every
//                WORKGROUP_SIZE-th entry that is looked up
//
// A tile that closes c entries of the stack before it looks at c + 1 of them, an *item* each; where the stack is not so high,
// the item says that there is none. Entry c is the *base* of the tile's slice: the slice lies on it.
//
//     groups   | a group     | a group     | own group                       |
//     bundles                              | bundle | bundle | own bundles   |
//     tiles                                                   | tile | tile | |
//
//     the stack that the earlier bundles of the group leave, and the earlier groups    (lib/siblings.wgsl)
//     look up the base of each own tile, that of the earlier bundles, and each item:
//         where it lies, and the product from the base of the tile (or of the earlier bundles) in which it lies
//     product of base i from the root on = that of the base under it, then steps[i]: a walk from base to base
//     of each item: the slot, and its value from the root on
//     nodes before each tile
//
// Reads 3 words an earlier bundle, and some 20 words and 2 to 3 values an item; writes 2 words and a value an item.

import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::lib::chunks::{Thread, thread_of};
import package::lib::bicyclic::combine;
import package::lib::{elements, scratch, siblings, stack_open};
import package::lib::stack_open::StackOpen;
import package::lib::scratch::{Sum, no_sum};
@if(flows) import package::lib::down_values;
import package::lib::value::{Value, down_combine, down_identity};
import package::layout::{Counts, Params, TreePlan};
import package::constants::{BUNDLE_TILES, NONE, SHARED_VALUES, SPINE_TILES, TILE, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> plan: TreePlan;
@if(few_markers) @group(0) @binding(3) var<uniform> counts: Counts;
@group(0) @binding(15) var<storage, read_write> words: array<u32>;
@group(0) @binding(16) var<storage, read_write> values: array<Value>;

// What flows under the entries of each earlier bundle; with `groups`, then of each run of groups.
@if(flows) var<workgroup> shared_values: array<Value, SHARED_VALUES>;

// The two stacks of siblings.
const BUNDLES = 0u;
const GROUPS = 1u;

// Of each own tile: what it does; how many items the earlier own tiles have.
var<workgroup> tile_sums: array<Sum, SPINE_TILES>;
var<workgroup> items_before: array<u32, SPINE_TILES + 1u>;
// Of the base of each own tile, then of the earlier bundles: the base under it (Found.under); the product from there on; the
// product from the root on. bases[i] = bases[unders[i]] * steps[i].
@if(flows) var<workgroup> unders: array<u32, SPINE_TILES + 1u>;
@if(flows) var<workgroup> steps: array<Value, SPINE_TILES + 1u>;
@if(flows) var<workgroup> bases: array<Value, SPINE_TILES + 1u>;

// Bases are looked up in the first round, a thread each: SPINE_TILES is less than WORKGROUP_SIZE. Where nothing flows nobody
// asks for them.
@if(flows) const BASES = SPINE_TILES + 1u;
@else const BASES = 0u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let first_tile = workgroup_index(workgroup) * SPINE_TILES;
    if first_tile >= elements::tile_count() {
        return;
    }
    let t = thread_of(workgroup, local);
    load_tiles(t.index, first_tile);
    @if(groups) look_at_groups(t, group_of(first_tile));
    look_at_bundles(t, first_tile / BUNDLE_TILES);
    sum_tiles(t.index, first_tile);
    // All threads see the same number, because there are barriers in the loop. The load is a barrier, too.
    let items = workgroupUniformLoad(&items_before[SPINE_TILES]);

    for (var first = 0u; first < BASES + items; first += WORKGROUP_SIZE) {
        let number = first + t.index;
        var found = nothing();
        if number < BASES + items {
            found = look_up(first_tile, wanted_by(number));
        }
        @if(flows) {
            if first == 0u {
                find_bases(t.index, first_tile, found);
            }
        }
        if number >= BASES && number < BASES + items {
            store_item(first_tile, item_of(number - BASES), found);
        }
    }
}

// An entry that is looked up: of the stack before an own tile, by its depth below the top.
struct Wanted {
    // Below SPINE_TILES.
    at: u32,
    depth: u32,
}

// Bases first, then items.
fn wanted_by(number: u32) -> Wanted {
    if number >= BASES {
        return item_of(number - BASES);
    }
    // On the stack before the first own tile, below all that the earlier bundles leave.
    if number == SPINE_TILES {
        return Wanted(0u, siblings::total(BUNDLES).does.opens);
    }
    return Wanted(number, tile_sums[number].does.closes);
}

// What was found.
struct Found {
    // NONE where the stack has no such entry; and the open that the slot holds.
    slot: u32,
    element: u32,
    // The base that the value is relative to: of this own tile, of the earlier bundles (SPINE_TILES); NONE: from the root on.
    under: u32,
    // The product from there to the entry; the root's own where there is no entry.
    @if(flows) value: Value,
}

fn nothing() -> Found {
    var found: Found;
    found.slot = NONE;
    found.element = NONE;
    found.under = NONE;
    @if(flows) found.value = elements::root_value();
    return found;
}

// Walks back over the own tiles; what none of them has lies before.
fn look_up(first_tile: u32, wanted: Wanted) -> Found {
    var depth = wanted.depth;
    for (var at = wanted.at; at > 0u; at--) {
        let does = tile_sums[at - 1u].does;
        if depth < does.opens {
            return in_tile(first_tile, at - 1u, does.opens - 1u - depth);
        }
        depth = depth - does.opens + does.closes;
    }
    return look_up_before(first_tile, depth);
}

fn in_tile(first_tile: u32, at: u32, rank: u32) -> Found {
    var found: Found;
    found.slot = (first_tile + at) * TILE + rank;
    found.element = scratch::slot_element(found.slot);
    found.under = at;
    @if(flows) found.value = down_values::of_slot(found.slot);
    return found;
}

// ---------------------------------------------------------------------------------------------------------------------
// The own tiles: so few that a thread of each looks at the others in a row

fn load_tiles(thread: u32, first_tile: u32) {
    if thread < SPINE_TILES {
        tile_sums[thread] = no_sum();
        if first_tile + thread < elements::tile_count() {
            tile_sums[thread] = scratch::tile_load(first_tile + thread);
        }
    }
}

// A barrier must part it from load_tiles, and must follow.
fn sum_tiles(thread: u32, first_tile: u32) {
    if thread < SPINE_TILES {
        var markers = 0u;
        var items = 0u;
        for (var other = 0u; other < thread; other++) {
            markers += tile_sums[other].markers;
            items += items_of(tile_sums[other]);
        }
        items_before[thread] = items;
        if thread == SPINE_TILES - 1u {
            items_before[SPINE_TILES] = items + items_of(tile_sums[thread]);
        }
        @if(scene) {
            if first_tile + thread < elements::tile_count() {
                scratch::markers_before_tile_store(first_tile + thread, markers_before_own() + markers);
            }
        }
    }
}

// Before an element of a tile are fewer closes than TILE, so nobody looks deeper. Tiles past the last have an item that
// is not stored.
fn items_of(tile: Sum) -> u32 {
    return min(tile.does.closes + 1u, TILE);
}

// The item's tile is the last with no more items before it.
fn item_of(number: u32) -> Wanted {
    var at = 0u;
    for (var step = SPINE_TILES / 2u; step > 0u; step /= 2u) {
        if items_before[at + step] <= number {
            at += step;
        }
    }
    return Wanted(at, number - items_before[at]);
}

// The value of each base from the root on, given what thread i has found of base i. All threads; ends with a barrier.
@if(flows)
fn find_bases(thread: u32, first_tile: u32, found: Found) {
    if thread < BASES {
        unders[thread] = found.under;
        steps[thread] = found.value;
    }
    workgroupBarrier();
    if thread < BASES {
        var base = found.value;
        for (var under = found.under; under != NONE; under = unders[under]) {
            base = down_combine(steps[under], base);
        }
        bases[thread] = base;
        if thread < SPINE_TILES && first_tile + thread < elements::tile_count() {
            down_values::base_store(first_tile + thread, base);
        }
    }
    workgroupBarrier();
}

fn store_item(first_tile: u32, item: Wanted, found: Found) {
    let tile = first_tile + item.at;
    if tile >= elements::tile_count() {
        return;
    }
    scratch::incoming_store(tile, item.depth, found.slot, found.element);
    @if(flows) {
        // The value of the tile's base has been stored (find_bases).
        let closes = tile_sums[item.at].does.closes;
        if item.depth < closes {
            var value = found.value;
            if found.under != NONE {
                value = down_combine(bases[found.under], value);
            }
            down_values::of_incoming_store(tile, closes, item.depth, value);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// The stack before the own tiles: what the earlier bundles of the group leave

// All threads. Ends with a barrier.
fn look_at_bundles(t: Thread, own_bundle: u32) {
    let count = own_bundle % WORKGROUP_SIZE;
    let earlier = own_bundle - count + t.index;
    var sum = no_sum();
    if earlier < own_bundle {
        sum = scratch::bundle_load(earlier);
    }
    let scan = siblings::scan_chunk(t, sum);
    workgroupBarrier();
    let held = siblings::scan_workgroup(t, scan, count, BUNDLES);
    @if(flows) {
        var topmost = down_identity();
        if held > 0u {
            topmost = stack_open::of_bundle(earlier, held - 1u).value;
        }
        siblings::scan_values(t, topmost, count, BUNDLES);
    }
    @else workgroupBarrier();
}

fn look_up_before(first_tile: u32, depth: u32) -> Found {
    let bundles = siblings::total(BUNDLES).does;
    if depth >= bundles.opens {
        @if(groups) return look_up_in_groups(group_of(first_tile), depth - bundles.opens + bundles.closes);
        @else return nothing();
    }
    let own_bundle = first_tile / BUNDLE_TILES;
    let place = own_bundle % WORKGROUP_SIZE;
    let held = siblings::find(depth, place, BUNDLES);
    let open = stack_open::of_bundle(own_bundle - place + held.sibling, held.rank);
    var found: Found;
    found.slot = open.slot;
    found.element = open.element;
    found.under = SPINE_TILES;
    @if(flows) found.value = down_combine(siblings::below(held.sibling, BUNDLES), open.value);
    return found;
}

@if(!groups)
fn markers_before_own() -> u32 {
    return siblings::total(BUNDLES).markers;
}

@if(groups)
fn markers_before_own() -> u32 {
    return siblings::total(BUNDLES).markers + siblings::total(GROUPS).markers;
}

// ---------------------------------------------------------------------------------------------------------------------
// The stack before the group. A thread has a *run* of consecutive groups: of one group, but where there are more groups
// than threads.

@if(groups)
fn group_of(tile: u32) -> u32 {
    return tile / BUNDLE_TILES / WORKGROUP_SIZE;
}

@if(groups)
fn run_length() -> u32 {
    return (scratch::group_count() + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
}

// Runs that have an earlier group.
@if(groups)
fn runs_before(group: u32) -> u32 {
    return (group + run_length() - 1u) / run_length();
}

// All threads. Ends with a barrier.
@if(groups)
fn look_at_groups(t: Thread, group: u32) {
    let count = runs_before(group);
    let first = t.index * run_length();
    let end = min(first + run_length(), group);
    let own = sum_of_groups(first, end);
    let scan = siblings::scan_chunk(t, own);
    workgroupBarrier();
    let held = siblings::scan_workgroup(t, scan, count, GROUPS);
    @if(flows) {
        var topmost = down_identity();
        if held > 0u {
            topmost = find_in_run(first, end, own.does.opens - held).value;
        }
        siblings::scan_values(t, topmost, count, GROUPS);
    }
    @else workgroupBarrier();
}

@if(groups)
fn sum_of_groups(first: u32, end: u32) -> Sum {
    var all = no_sum();
    for (var group = first; group < end; group++) {
        let sum = scratch::group_load(group);
        all = Sum(combine(all.does, sum.does), all.markers + sum.markers);
    }
    return all;
}

// The entry `depth` below the top of what a run leaves; there is one. Walks back from group to group: where a group has
// the entry, the base of that group is next, down to the bottom of the run.
@if(groups)
fn find_in_run(first: u32, end: u32, depth: u32) -> StackOpen {
    var found: StackOpen;
    found.slot = NONE;
    @if(flows) found.value = down_identity();
    var below = depth;
    for (var group = end; group > first; group--) {
        let does = scratch::group_load(group - 1u).does;
        if below < does.opens {
            let held = stack_open::of_group(group - 1u, below);
            if found.slot == NONE {
                found.slot = held.slot;
                found.element = held.element;
            }
            @if(flows) found.value = down_combine(held.value, found.value);
            below = does.closes;
        } else {
            below = below - does.opens + does.closes;
        }
    }
    return found;
}

@if(groups)
fn look_up_in_groups(group: u32, depth: u32) -> Found {
    var found = nothing();
    if depth < siblings::total(GROUPS).does.opens {
        let length = run_length();
        let held = siblings::find(depth, runs_before(group), GROUPS);
        let first = held.sibling * length;
        let end = min(first + length, group);
        let open = find_in_run(first, end, sum_of_groups(first, end).does.opens - 1u - held.rank);
        found.slot = open.slot;
        found.element = open.element;
        @if(flows) {
            let under = down_combine(found.value, siblings::below(held.sibling, GROUPS));
            found.value = down_combine(under, open.value);
        }
    }
    return found;
}
