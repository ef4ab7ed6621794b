// spine: the stack before each tile, as far down as the tile's elements look, and what flows from each of its entries.
//
//     workgroup  a bundle of tiles
//     thread     an earlier bundle of the group; with `groups`, a run of earlier groups, too; then every
//                WORKGROUP_SIZE-th item
//
// A tile that closes c entries of the stack before it looks at c + 1 of them, or fewer where the stack is not so high: an
// *item* each. Entry c is the *base* of the tile's slice: the slice lies on it.
//
//     groups   | a group     | a group     | own group                      |
//     bundles                              | bundle | bundle | own bundle   |
//     tiles                                                  | tile | tile | |
//
//     the stack that the earlier bundles of the group leave, and the earlier groups    (lib/siblings.wgsl)
//     value of each tile's base = what flows from it: where the base lies before the group it is looked up; a base in an
//         earlier bundle lies on the base of these bundles, one in an earlier tile on that tile's base: a walk
//     of each item: the slot, and what flows from it: looked up before the bundle, or in a tile of the bundle
//     nodes before each tile, and node indices of its elements
//
// Reads 3 words an earlier bundle, and some 20 words and 2 to 3 values an item; writes a word and a value an item.

import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::lib::chunks::{Thread, thread_of};
import package::lib::bicyclic::{Bicyclic, combine};
import package::lib::{elements, roles, scratch, siblings, stack_entry};
import package::lib::stack_entry::StackEntry;
import package::lib::scratch::{Sum, no_sum};
@if(flows) import package::lib::down_values;
@if(scene) import package::lib::node_indices;
import package::lib::value::{Value, down_combine, down_identity};
import package::layout::{Counts, Params, TreePlan};
import package::constants::{BUNDLE_TILES, NONE, SHARED_VALUES, TILE, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> plan: TreePlan;
@if(entries) @group(0) @binding(3) var<uniform> counts: Counts;
@if(scene) @group(0) @binding(3) var<storage, read_write> counts: Counts;
@if(scene) @group(0) @binding(6) var<storage, read_write> nodes_before: array<u32>;
@if(scene) @group(0) @binding(7) var<storage, read_write> node_elements: array<u32>;
@group(0) @binding(15) var<storage, read_write> words: array<u32>;
@group(0) @binding(16) var<storage, read_write> values: array<Value>;

// What flows under the entries of each earlier bundle; with `groups`, then of each run of groups.
@if(flows) var<workgroup> shared_values: array<Value, SHARED_VALUES>;

// The two stacks of siblings.
const BUNDLES = 0u;
const GROUPS = 1u;

// Of each tile of the bundle: what it does; what the earlier tiles do; how many items these have.
var<workgroup> tile_sums: array<Sum, BUNDLE_TILES>;
var<workgroup> tiles_before: array<Sum, BUNDLE_TILES>;
var<workgroup> items_before: array<u32, BUNDLE_TILES + 1u>;
// Where the base of each tile lies: in an earlier tile of the bundle, in the earlier bundles (BUNDLE_TILES), or NONE: before
// the group. Then what flows from the base, from the bottom of that slice on; of the earlier bundles, what flows under all
// that they leave.
@if(flows) var<workgroup> tile_below: array<u32, BUNDLE_TILES + 1u>;
@if(flows) var<workgroup> steps: array<Value, BUNDLE_TILES + 1u>;
// What flows from the base of each tile, from the root on.
@if(flows) var<workgroup> bases: array<Value, BUNDLE_TILES>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let bundle = workgroup_index(workgroup);
    let first_tile = bundle * BUNDLE_TILES;
    // The first bundle runs even where there is no element: a scene counts.
    if first_tile >= max(elements::tile_count(), 1u) {
        return;
    }
    let t = thread_of(workgroup, local);
    load_tiles(t.index, first_tile);
    @if(groups) look_at_groups(t, bundle / WORKGROUP_SIZE);
    look_at_bundles(t, bundle);
    sum_tiles(t.index, first_tile);
    workgroupBarrier();
    @if(flows) find_bases(t.index, bundle);

    for (var number = t.index; number < items_before[BUNDLE_TILES]; number += WORKGROUP_SIZE) {
        store_item(bundle, item_of(number));
    }
    @if(scene) store_node_indices(t.index, first_tile);
}

// ---------------------------------------------------------------------------------------------------------------------
// The bundle's own tiles: so few that a thread of each looks at the others in a row

fn load_tiles(thread: u32, first_tile: u32) {
    if thread < BUNDLE_TILES {
        tile_sums[thread] = no_sum();
        if first_tile + thread < elements::tile_count() {
            tile_sums[thread] = scratch::tile_load(first_tile + thread);
        }
    }
}

// A barrier must part it from load_tiles, and must follow.
fn sum_tiles(thread: u32, first_tile: u32) {
    if thread < BUNDLE_TILES {
        var before = no_sum();
        var items = 0u;
        for (var other = 0u; other < thread; other++) {
            let sum = tile_sums[other];
            before = Sum(combine(before.does, sum.does), before.nodes + sum.nodes);
            items += items_of(sum);
        }
        tiles_before[thread] = before;
        items_before[thread] = items;
        if thread == BUNDLE_TILES - 1u {
            items_before[BUNDLE_TILES] = items + items_of(tile_sums[thread]);
        }
        @if(scene) {
            if first_tile + thread < elements::tile_count() {
                scratch::nodes_before_tile_store(first_tile + thread, nodes_before_bundle() + before.nodes);
            }
        }
    }
}

// Before an element of a tile are fewer closes than TILE, so nobody looks deeper. Tiles past the last have an item that
// nobody reads.
fn items_of(tile: Sum) -> u32 {
    return min(tile.does.closes + 1u, TILE);
}

// An entry of an earlier tile of the bundle: the tile, or NONE where the entry lies before the bundle; and its depth below
// the top of what that tile leaves, or of the stack before the bundle.
struct InBundle {
    at: u32,
    depth: u32,
}

// The entry `depth` below the top of the stack before the bundle's tile `at`.
fn find_in_bundle(at: u32, depth: u32) -> InBundle {
    var below = depth;
    for (var other = at; other > 0u; other--) {
        let does = tile_sums[other - 1u].does;
        if below < does.opens {
            return InBundle(other - 1u, below);
        }
        below = below - does.opens + does.closes;
    }
    return InBundle(NONE, below);
}

fn slot_in_bundle(first_tile: u32, found: InBundle) -> u32 {
    return (first_tile + found.at) * TILE + tile_sums[found.at].does.opens - 1u - found.depth;
}

// ---------------------------------------------------------------------------------------------------------------------
// The stack before the bundle

// All threads. Ends with a barrier.
fn look_at_bundles(t: Thread, bundle: u32) {
    let first = bundle - bundle % WORKGROUP_SIZE;
    let earlier = first + t.index;
    var own = no_sum();
    if earlier < bundle {
        own = scratch::bundle_load(earlier);
    }
    let noted = siblings::note(t, own);
    workgroupBarrier();
    let held = siblings::hold(t, noted, BUNDLES);
    @if(flows) {
        var topmost = down_identity();
        if held > 0u {
            topmost = stack_entry::of_bundle(earlier, own.does.opens - held).value;
        }
        siblings::flow(t, topmost, BUNDLES);
    }
    @else workgroupBarrier();
}

// Whether the entry is one that the earlier bundles of the group leave.
fn is_in_bundles(depth: u32) -> bool {
    return depth < siblings::total(BUNDLES).does.opens;
}

// An entry of the stack before the bundle: NONE and what flows from the root where there is none. What flows from an entry
// of the earlier bundles is told from their base on (steps[BUNDLE_TILES]), any other's from the root on.
fn find_before(bundle: u32, depth: u32) -> StackEntry {
    if !is_in_bundles(depth) {
        let bundles = siblings::total(BUNDLES).does;
        @if(groups) return find_in_groups(bundle / WORKGROUP_SIZE, depth - bundles.opens + bundles.closes);
        @else return no_entry();
    }
    let held = siblings::find(depth, bundle % WORKGROUP_SIZE, BUNDLES);
    let holder = bundle - bundle % WORKGROUP_SIZE + held.sibling;
    var found = stack_entry::of_bundle(holder, scratch::bundle_load(holder).does.opens - 1u - held.rank);
    @if(flows) found.value = down_combine(siblings::below(held.sibling, BUNDLES), found.value);
    return found;
}

fn no_entry() -> StackEntry {
    var none: StackEntry;
    none.slot = NONE;
    @if(flows) none.value = elements::root_value();
    return none;
}

@if(!groups)
fn nodes_before_bundle() -> u32 {
    return siblings::total(BUNDLES).nodes;
}

@if(groups)
fn nodes_before_bundle() -> u32 {
    return siblings::total(BUNDLES).nodes + siblings::total(GROUPS).nodes;
}

// ---------------------------------------------------------------------------------------------------------------------
// The stack before the group. A thread has a *run* of consecutive groups: of one group, but where there are more groups
// than threads.

@if(groups)
fn run_length() -> u32 {
    return (scratch::group_count() + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
}

// All threads. Ends with a barrier.
@if(groups)
fn look_at_groups(t: Thread, group: u32) {
    let first = t.index * run_length();
    let end = min(first + run_length(), group);
    let own = sum_of_groups(first, end);
    let noted = siblings::note(t, own);
    workgroupBarrier();
    let held = siblings::hold(t, noted, GROUPS);
    @if(flows) {
        var topmost = down_identity();
        if held > 0u {
            topmost = find_in_run(first, end, own.does.opens - held).value;
        }
        siblings::flow(t, topmost, GROUPS);
    }
    @else workgroupBarrier();
}

@if(groups)
fn sum_of_groups(first: u32, end: u32) -> Sum {
    var all = no_sum();
    for (var group = first; group < end; group++) {
        let sum = scratch::group_load(group);
        all = Sum(combine(all.does, sum.does), all.nodes + sum.nodes);
    }
    return all;
}

// The entry `depth` below the top of what a run leaves; there is one. Walks back from group to group: where a group has
// the entry, the base of that group is next, down to the bottom of the run.
@if(groups)
fn find_in_run(first: u32, end: u32, depth: u32) -> StackEntry {
    var found = no_entry();
    @if(flows) found.value = down_identity();
    var below = depth;
    for (var group = end; group > first; group--) {
        let does = scratch::group_load(group - 1u).does;
        if below < does.opens {
            let held = stack_entry::of_group(group - 1u, below);
            if found.slot == NONE {
                found.slot = held.slot;
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
fn find_in_groups(group: u32, depth: u32) -> StackEntry {
    if depth >= siblings::total(GROUPS).does.opens {
        return no_entry();
    }
    let length = run_length();
    let held = siblings::find(depth, (group + length - 1u) / length, GROUPS);
    let first = held.sibling * length;
    let end = min(first + length, group);
    var found = find_in_run(first, end, sum_of_groups(first, end).does.opens - 1u - held.rank);
    @if(flows) {
        let under = down_combine(elements::root_value(), siblings::below(held.sibling, GROUPS));
        found.value = down_combine(under, found.value);
    }
    return found;
}

// ---------------------------------------------------------------------------------------------------------------------
// Items

// The value of each tile's base, by a walk from base to base. Ends with a barrier.
@if(flows)
fn find_bases(thread: u32, bundle: u32) {
    let first_tile = bundle * BUNDLE_TILES;
    for (var at = thread; at <= BUNDLE_TILES; at += WORKGROUP_SIZE) {
        find_step(bundle, at);
    }
    workgroupBarrier();
    if thread < BUNDLE_TILES {
        var base = steps[thread];
        for (var at = tile_below[thread]; at != NONE; at = tile_below[at]) {
            base = down_combine(steps[at], base);
        }
        bases[thread] = base;
        if first_tile + thread < elements::tile_count() {
            down_values::base_store(first_tile + thread, base);
        }
    }
    workgroupBarrier();
}

// The base of the tile at place `at` of the bundle; at BUNDLE_TILES, the base of the stack of the earlier bundles.
@if(flows)
fn find_step(bundle: u32, at: u32) {
    var found = InBundle(NONE, siblings::total(BUNDLES).does.opens);
    if at < BUNDLE_TILES {
        found = find_in_bundle(at, tile_sums[at].does.closes);
    }
    if found.at == NONE {
        tile_below[at] = select(NONE, BUNDLE_TILES, is_in_bundles(found.depth));
        steps[at] = find_before(bundle, found.depth).value;
    } else {
        tile_below[at] = found.at;
        steps[at] = down_values::of_slot(slot_in_bundle(bundle * BUNDLE_TILES, found));
    }
}

// An entry that a tile looks at: the tile's place in the bundle, and the depth below the top of the stack before it.
struct Item {
    at: u32,
    depth: u32,
}

// The item's tile is the last with no more items before it.
fn item_of(number: u32) -> Item {
    var at = 0u;
    for (var step = BUNDLE_TILES / 2u; step > 0u; step /= 2u) {
        if items_before[at + step] <= number {
            at += step;
        }
    }
    return Item(at, number - items_before[at]);
}

fn store_item(bundle: u32, item: Item) {
    let first_tile = bundle * BUNDLE_TILES;
    let tile = first_tile + item.at;
    if tile >= elements::tile_count() {
        return;
    }
    var found: StackEntry;
    let inside = find_in_bundle(item.at, item.depth);
    if inside.at == NONE {
        found = find_before(bundle, inside.depth);
        @if(flows) {
            if is_in_bundles(inside.depth) {
                found.value = down_combine(steps[BUNDLE_TILES], found.value);
            }
        }
    } else {
        found.slot = slot_in_bundle(first_tile, inside);
        @if(flows) found.value = down_combine(bases[inside.at], down_values::of_slot(found.slot));
    }
    words[scratch::outer_word(tile, item.depth)] = found.slot;
    @if(flows) {
        // The value of the base itself has been stored (find_bases).
        let closes = tile_sums[item.at].does.closes;
        if item.depth < closes {
            down_values::of_outer_store(tile, closes, item.depth, found.value);
        }
    }
}

@if(scene)
fn store_node_indices(thread: u32, first_tile: u32) {
    for (var at = thread; at < BUNDLE_TILES * TILE; at += WORKGROUP_SIZE) {
        let tile = at / TILE;
        let place = at % TILE;
        let record = roles::load((first_tile + tile) * roles::RECORDS + place / 32u);
        let nodes = nodes_before_bundle() + tiles_before[tile].nodes + roles::rank_in(record, place);
        node_indices::store(first_tile * TILE + at, nodes, roles::role_in(record, place) != 0u);
    }
}
