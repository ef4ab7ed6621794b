// spine: finds the incoming stack of each tile, to the depth that the tile's elements need, and the product that flows from
// each of its opens.
//
//     workgroup  SPINE_TILES consecutive tiles: one bundle; with `groups`, up to four bundles, which share one scan over
//                all earlier bundles and groups
//     thread     one earlier bundle of the group; with `groups`, also a series of earlier groups; then every
//                WORKGROUP_SIZE-th *query*
//
// A tile that closes c opens of its incoming stack needs the opens with depths 0 to c, with one query each. The answer is
// NONE below the bottom of the stack. The tile does not close the deepest of these opens, which is the *base* of its slice:
// the open directly below the slice.
//
//     groups   | a group     | a group     | own group                       |
//     bundles                              | bundle | bundle | own bundles   |
//     tiles                                                   | tile | tile | |
//
//     scan the earlier bundles of the group, and the earlier groups                     (lib/siblings.wgsl)
//     for the base of each own tile, for the base of the earlier bundles, and for each query:
//         find the open, and the product from the base below it up to it. Below an open of an own tile's slice is the base
//         of that tile; below an open of an earlier bundle is the base of the earlier bundles; below an open of an
//         earlier group is the root.
//     product from the root to a base = product of the base below it, times its own: a walk from base to base
//     answer of a query = the open's slot, and its product from the root
//     store the markers before each tile
//
// Reads 3 words per earlier bundle, and about 20 words and 2 to 3 values per query. Writes 2 words and one value per query.

import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::lib::chunks::{Thread, thread_of};
import package::lib::bicyclic::combine;
import package::lib::{down_values, elements, scratch, siblings, stack_open};
import package::lib::stack_open::StackOpen;
import package::lib::scratch::{Sum, no_sum};
import package::value::{Value, down_combine, down_identity};
import package::layout::{Counts, Params, TreePlan};
import package::constants::{BUNDLE_TILES, NONE, SPINE_TILES, TILE, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> plan: TreePlan;
@group(0) @binding(52) var<uniform> frame_counts: Counts;
@group(0) @binding(15) var<storage, read_write> words: array<u32>;
@group(0) @binding(16) var<storage, read_write> values: array<Value>;

// Workgroup memory (lib/shared.wgsl) contains the product that flows to the opens that each earlier bundle holds; with
// `groups`, followed by the same for each series of groups.

// The two stacks of siblings.
const BUNDLES = 0u;
const GROUPS = 1u;

// For each own tile: its sum, and the number of queries of the earlier own tiles. The last of these is the number of all
// queries.
var<workgroup> tile_sums: array<Sum, SPINE_TILES>;
var<workgroup> queries_before: array<u32, SPINE_TILES + 1u>;

// The index of the base of the earlier bundles. The base of own tile i has index i.
const EARLIER_BUNDLES = SPINE_TILES;

// The base below each base, or NONE if the root is below it.
var<workgroup> base_below: array<u32, SPINE_TILES + 1u>;
// The product from the base below up to the base.
var<workgroup> base_step: array<Value, SPINE_TILES + 1u>;
// The product from the root up to the base: base_product of the base below, times base_step.
var<workgroup> base_product: array<Value, SPINE_TILES + 1u>;

// The bases are found first, by one thread each: SPINE_TILES is less than WORKGROUP_SIZE. If no values flow, no bases are
// needed.
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
    @if(groups) scan_groups(t, group_of(first_tile));
    scan_bundles(t, first_tile / BUNDLE_TILES);
    count_queries(t.index, first_tile);
    // The loop below contains barriers, so all threads need the same number of queries. The load is itself a barrier.
    let queries = workgroupUniformLoad(&queries_before[SPINE_TILES]);

    // Numbers 0 .. BASES are bases, followed by the queries.
    for (var first = 0u; first < BASES + queries; first += WORKGROUP_SIZE) {
        let number = first + t.index;
        var answer = no_open();
        if number < BASES + queries {
            answer = find(first_tile, query_of(number));
        }
        @if(flows) {
            if first == 0u {
                find_bases(t.index, first_tile, answer);
            }
        }
        if number >= BASES && number < BASES + queries {
            store_answer(first_tile, query_of(number), answer);
        }
    }
}

// A query for the open with `depth` others above it on the incoming stack of own tile `at`, which is less than
// SPINE_TILES.
struct Query {
    at: u32,
    depth: u32,
}

fn query_of(number: u32) -> Query {
    if number >= BASES {
        return query_of_tile(number - BASES);
    }
    if number == EARLIER_BUNDLES {
        // On the incoming stack of the first own tile, the earlier bundles' base is directly below the opens that they leave.
        return Query(0u, siblings::total(BUNDLES).does.opens);
    }
    return Query(number, tile_sums[number].does.closes);
}

// The answer to a query.
struct Answer {
    // The slot of the open, and the element in that slot; both NONE below the bottom of the stack.
    slot: u32,
    element: u32,
    // The base below the open, or NONE if the root is below it.
    below: u32,
    // The product from that base up to the open. If there is no open, the root's value.
    @if(flows) value: Value,
}

fn no_open() -> Answer {
    var answer: Answer;
    answer.slot = NONE;
    answer.element = NONE;
    answer.below = NONE;
    @if(flows) answer.value = elements::root_value();
    return answer;
}

// Finds the open that a query asks for. Walks back over the own tiles; if none of them has the open, searches the earlier bundles.
fn find(first_tile: u32, query: Query) -> Answer {
    var depth = query.depth;
    for (var at = query.at; at > 0u; at--) {
        let does = tile_sums[at - 1u].does;
        if depth < does.opens {
            return open_of_tile(first_tile, at - 1u, does.opens - 1u - depth);
        }
        depth = depth - does.opens + does.closes;
    }
    return find_in_bundles(first_tile, depth);
}

fn open_of_tile(first_tile: u32, at: u32, rank: u32) -> Answer {
    var answer: Answer;
    answer.slot = (first_tile + at) * TILE + rank;
    answer.element = scratch::slot_element(answer.slot);
    answer.below = at;
    @if(flows) answer.value = down_values::of_slot(answer.slot);
    return answer;
}

// ---------------------------------------------------------------------------------------------------------------------
// The own tiles. There are few, so one thread per tile loops over the others

fn load_tiles(thread: u32, first_tile: u32) {
    if thread < SPINE_TILES {
        tile_sums[thread] = no_sum();
        if first_tile + thread < elements::tile_count() {
            tile_sums[thread] = scratch::tile_load(first_tile + thread);
        }
    }
}

// Counts the queries and markers before each own tile. Requires a barrier after load_tiles, and another after this call.
fn count_queries(thread: u32, first_tile: u32) {
    if thread < SPINE_TILES {
        var markers = 0u;
        var queries = 0u;
        for (var other = 0u; other < thread; other++) {
            markers += tile_sums[other].markers;
            queries += queries_of(tile_sums[other]);
        }
        queries_before[thread] = queries;
        if thread == SPINE_TILES - 1u {
            queries_before[SPINE_TILES] = queries + queries_of(tile_sums[thread]);
        }
        @if(scene) {
            if first_tile + thread < elements::tile_count() {
                scratch::markers_before_tile_store(first_tile + thread, markers_before_own() + markers);
            }
        }
    }
}

// Returns the number of queries of a tile. Fewer than TILE closes precede an element in its tile, so no element needs a
// deeper open. A tile past the last has one query, whose answer is not stored.
fn queries_of(tile: Sum) -> u32 {
    return min(tile.does.closes + 1u, TILE);
}

// Returns the query with this number. Its tile is the last with at most `number` queries before it. SPINE_TILES is a power
// of two, so `at + step` is less than SPINE_TILES. Each tile has at least one query.
fn query_of_tile(number: u32) -> Query {
    var at = 0u;
    for (var step = SPINE_TILES / 2u; step > 0u; step /= 2u) {
        if queries_before[at + step] <= number {
            at += step;
        }
    }
    return Query(at, number - queries_before[at]);
}

// Computes the product from the root to each base. `answer` of thread i is the answer for base i. All threads call it; it
// ends with a barrier.
fn find_bases(thread: u32, first_tile: u32, answer: Answer) {
    if thread < BASES {
        base_below[thread] = answer.below;
        base_step[thread] = answer.value;
    }
    workgroupBarrier();
    if thread < BASES {
        var product = answer.value;
        // The base below an own tile's base belongs to an earlier own tile, or is EARLIER_BUNDLES, which has the root below
        // it. So the walk ends, and every index is at most SPINE_TILES.
        for (var below = answer.below; below != NONE; below = base_below[below]) {
            product = down_combine(base_step[below], product);
        }
        base_product[thread] = product;
        if thread < SPINE_TILES && first_tile + thread < elements::tile_count() {
            down_values::base_store(first_tile + thread, product);
        }
    }
    workgroupBarrier();
}

fn store_answer(first_tile: u32, query: Query, answer: Answer) {
    let tile = first_tile + query.at;
    if tile >= elements::tile_count() {
        return;
    }
    scratch::incoming_store(tile, query.depth, answer.slot, answer.element);
    @if(flows) {
        // find_bases has stored the product of the tile's base, whose depth is `closes`.
        let closes = tile_sums[query.at].does.closes;
        if query.depth < closes {
            var value = answer.value;
            if answer.below != NONE {
                value = down_combine(base_product[answer.below], value);
            }
            down_values::of_incoming_store(tile, closes, query.depth, value);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// The stack that the earlier bundles of the group leave

// All threads call it; it ends with a barrier.
fn scan_bundles(t: Thread, own_bundle: u32) {
    let count = own_bundle % WORKGROUP_SIZE;
    let earlier = own_bundle - count + t.index;
    var sum = no_sum();
    if earlier < own_bundle {
        sum = scratch::bundle_load(earlier);
    }
    let scan = siblings::scan_chunk(t, sum);
    workgroupBarrier();
    let held_count = siblings::scan_workgroup(t, scan, count, BUNDLES);
    var topmost = down_identity();
    @if(flows) {
        if held_count > 0u {
            topmost = stack_open::of_bundle(earlier, held_count - 1u).value;
        }
    }
    siblings::scan_values(t, topmost, count, BUNDLES);
}

// Finds the open with `depth` others above it on the stack before the first own bundle.
fn find_in_bundles(first_tile: u32, depth: u32) -> Answer {
    let bundles = siblings::total(BUNDLES).does;
    if depth >= bundles.opens {
        @if(groups) return find_in_groups(group_of(first_tile), depth - bundles.opens + bundles.closes);
        @else return no_open();
    }
    let own_bundle = first_tile / BUNDLE_TILES;
    let earlier_count = own_bundle % WORKGROUP_SIZE;
    let holder = siblings::find(depth, earlier_count, BUNDLES);
    let open = stack_open::of_bundle(own_bundle - earlier_count + holder.sibling, holder.rank);
    var answer: Answer;
    answer.slot = open.slot;
    answer.element = open.element;
    answer.below = EARLIER_BUNDLES;
    @if(flows) answer.value = down_combine(siblings::below(holder.sibling, BUNDLES), open.value);
    return answer;
}

fn markers_before_own() -> u32 {
    var markers = siblings::total(BUNDLES).markers;
    @if(groups) markers += siblings::total(GROUPS).markers;
    return markers;
}

// ---------------------------------------------------------------------------------------------------------------------
// The stack before the group. Each thread processes a *series* of consecutive groups, which is one group unless there are
// more groups than threads.

fn group_of(tile: u32) -> u32 {
    return tile / BUNDLE_TILES / WORKGROUP_SIZE;
}

fn groups_per_series() -> u32 {
    return (scratch::group_count() + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
}

// Returns the number of series that contain an earlier group.
fn series_before(group: u32) -> u32 {
    return (group + groups_per_series() - 1u) / groups_per_series();
}

// All threads call it; it ends with a barrier.
fn scan_groups(t: Thread, group: u32) {
    let count = series_before(group);
    let first = t.index * groups_per_series();
    let end = min(first + groups_per_series(), group);
    let own = sum_of_groups(first, end);
    // Lanes have reconverged after the loop in sum_of_groups() (lib/chunks.wgsl).
    let scan = siblings::scan_chunk(t, own);
    workgroupBarrier();
    let held_count = siblings::scan_workgroup(t, scan, count, GROUPS);
    var topmost = down_identity();
    @if(flows) {
        if held_count > 0u {
            topmost = find_in_series(first, end, own.does.opens - held_count).value;
        }
    }
    siblings::scan_values(t, topmost, count, GROUPS);
}

fn sum_of_groups(first: u32, end: u32) -> Sum {
    var all = no_sum();
    for (var group = first; group < end; group++) {
        let sum = scratch::group_load(group);
        all = Sum(combine(all.does, sum.does), all.markers + sum.markers);
    }
    return all;
}

// Finds the open with `depth` others above it on the stack that a series leaves. The stack must have more than `depth`
// opens. Walks back from group to group. The value of the open includes the values below it in the series, so the walk continues with
// the base of the open's group, then with the base of that base's group, and so on down to the bottom of the series.
fn find_in_series(first: u32, end: u32, depth: u32) -> StackOpen {
    var found: StackOpen;
    found.slot = NONE;
    @if(flows) found.value = down_identity();
    var above = depth;
    for (var group = end; group > first; group--) {
        let does = scratch::group_load(group - 1u).does;
        if above < does.opens {
            let open = stack_open::of_group(group - 1u, above);
            if found.slot == NONE {
                found.slot = open.slot;
                found.element = open.element;
            }
            @if(flows) found.value = down_combine(open.value, found.value);
            above = does.closes;
        } else {
            above = above - does.opens + does.closes;
        }
    }
    return found;
}

fn find_in_groups(group: u32, depth: u32) -> Answer {
    var answer = no_open();
    if depth < siblings::total(GROUPS).does.opens {
        let length = groups_per_series();
        let holder = siblings::find(depth, series_before(group), GROUPS);
        let first = holder.sibling * length;
        let end = min(first + length, group);
        let open = find_in_series(first, end, sum_of_groups(first, end).does.opens - 1u - holder.rank);
        answer.slot = open.slot;
        answer.element = open.element;
        @if(flows) {
            let below = down_combine(answer.value, siblings::below(holder.sibling, GROUPS));
            answer.value = down_combine(below, open.value);
        }
    }
    return answer;
}
