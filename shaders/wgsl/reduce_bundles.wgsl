// reduce_bundles: computes the effect of each tile and each bundle on the stack, and the slices that the tiles leave. It
// stores the same data as reduce_tiles, and the bundles.
//
//     workgroup  one bundle: BUNDLE_TILES tiles
//     thread     one *run*: RUN consecutive elements, as the bits of words. A tile has RUNS runs.
//     chunk      up to 32 runs, whose lanes distribute the survivors of all their runs
//
//     run         = its roles as bits; the opens that it leaves; (closes, opens)
//     tile[..]    = product of its runs
//     bundle[..]  = product of its tiles; for each tile, the number of opens of the bundle's stack below those that it holds
//     survivors of a run: its lowest opens, without those that later runs of the tile close
//     the lanes of a chunk distribute the survivors of their runs, one row of lanes at a time:
//         slot[..] = the open;   value of the slot = product along the survivors of the tile
//     below a tile = product that flows to the opens that it holds on the bundle's stack
//
// Past the last element every role is 0, so the scans need no test for the end of the stream; stores test whether the
// tile exists. If there are few markers, the dispatch has additional workgroups after those of the bundles, which store
// marker indices while the others wait for memory.

import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::lib::chunks;
import package::lib::chunks::{Thread, lanes, most, rounds, thread_of, word};
import package::lib::bicyclic::{Bicyclic, IDENTITY, combine};
import package::lib::bits::{place_from_bottom, lowest_ones, unmatched_opens};
import package::lib::{elements, roles, scratch, shared};
import package::lib::roles::{CLOSES, NON_LOCAL, OPENS, Roles};
import package::lib::scratch::{Sum, no_sum};
import package::lib::{down_values, marker_indices};
import package::lib::scan::along_chunk;
import package::value::{Value, down_combine, down_identity};
import package::monoid::Input;
import package::layout::{Counts, Params, TreePlan};
import package::constants::{BUNDLE_TILES, NONE, RUN, TILE, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> plan: TreePlan;
@if(few_markers) @group(0) @binding(52) var<uniform> frame_counts: Counts;
@group(0) @binding(4) var<storage, read> tags: array<u32>;
@group(0) @binding(5) var<storage, read> rects: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> markers_before: array<u32>;
@group(0) @binding(15) var<storage, read_write> words: array<u32>;
@group(0) @binding(16) var<storage, read_write> values: array<Value>;
@group(0) @binding(17) var<storage, read> inputs: array<Input>;

// The runs of a tile, and of a record of 32 roles.
const RUNS = TILE / RUN;
const RUNS_PER_RECORD = min(32u, TILE) / RUN;

// Workgroup memory (lib/shared.wgsl) contains one value per thread: the product of the survivors of its run.

// Three words per run. First, the closes, opens and markers of the runs of one tile in one chunk, stored by the first of
// their threads. Later, the opens, markers and non-local opens of each run, as bits.
var<workgroup> run_words: array<array<u32, 3>, WORKGROUP_SIZE>;

// For each tile: its sum; the number of opens of its slice that it holds until the end of the bundle; the product along
// its slice up to the topmost of these.
var<workgroup> tile_sums: array<Sum, BUNDLE_TILES>;
var<workgroup> tile_held: array<u32, BUNDLE_TILES>;
var<workgroup> tile_values: array<Value, BUNDLE_TILES>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let bundle = workgroup_index(workgroup);
    @if(few_markers) {
        let bundles = scratch::bundles_of(elements::tiles_of(plan.element_capacity));
        if bundle >= bundles {
            marker_indices::store_of_few(bundle - bundles, local.index);
            return;
        }
    }
    let first_tile = bundle * BUNDLE_TILES;
    if first_tile >= elements::tile_count() {
        return;
    }
    let t = thread_of(workgroup, local);
    let tile = first_tile + t.index / RUNS;

    let run = load_run(first_tile * TILE + t.index * RUN);
    let left = unmatched_opens(run.opens, run.markers & ~run.opens);
    let opens = countOneBits(left);
    let closes = opens + countOneBits(run.markers) - 2u * countOneBits(run.opens);
    let around = runs_around(t, Sum(Bicyclic(closes, opens), countOneBits(run.markers)));
    @if(keeps_roles) store_roles(t, tile, run, around.before.markers);
    if t.index % RUNS == 0u {
        tile_sums[t.index / RUNS] = around.all;
        if tile < elements::tile_count() {
            scratch::tile_store(tile, around.all);
        }
    }
    workgroupBarrier();
    reduce_tiles(t.index, bundle);
    workgroupBarrier();

    // The lowest opens of the run survive. If any does, all opens below it in the tile survive too.
    var survivors: Survivors;
    survivors.opens = lowest_ones(left, opens - min(opens, around.after.closes));
    survivors.first = first_tile * TILE + t.index * RUN;
    survivors.below = around.before.does.opens - min(around.before.does.opens, closes);
    survivors.run = run;
    survivors.run.markers_before = around.before.markers;
    store_survivors(t, survivors);
    workgroupBarrier();
    store_stack(t.index, bundle);
}

// Loads the roles of the run that starts at element `first`.
fn load_run(first: u32) -> Roles {
    var run = Roles(0u, 0u, 0u, 0u);
    for (var i = 0u; i < RUN; i++) {
        let role = elements::role_at(first + i);
        run.opens |= u32((role & OPENS) != 0u) << i;
        run.markers |= u32((role & (OPENS | CLOSES)) != 0u) << i;
        run.non_local |= u32((role & NON_LOCAL) != 0u) << i;
    }
    return run;
}

// ---------------------------------------------------------------------------------------------------------------------
// The tile: scans over its runs

// For a run: the products of the earlier runs of its tile, of the later runs, and of all runs.
struct Around {
    before: Sum,
    after: Bicyclic,
    all: Sum,
}

// Scans from both sides at once: between lanes, then over the chunks of the tile. A tile is a single chunk if a chunk has
// at least RUNS lanes.
//
// In the loop of unmatched_opens(), lanes take different numbers of rounds; we assume that they have reconverged before
// this call (lib/chunks.wgsl).
fn runs_around(t: Thread, own: Sum) -> Around {
    // The runs of the tile that are in the chunk; `at` is the thread's place among them.
    let side = min(lanes(t), RUNS);
    let at = t.index % side;
    var left = own;
    var right = own.does;
    for (var round = 0u; round < firstTrailingBit(side); round++) {
        let width = 1u << round;
        let earlier = select(t.lane, t.lane - width, at >= width);
        let later = select(t.lane, t.lane + width, at + width < side);
        let before = sum_of_lane(t, left, earlier);
        let after = Bicyclic(word(t, right.closes, later), word(t, right.opens, later));
        if at >= width {
            left = Sum(combine(before.does, left.does), before.markers + left.markers);
        }
        if at + width < side {
            right = combine(right, after);
        }
    }
    var around: Around;
    around.before = sum_of_lane(t, left, select(t.lane, t.lane - 1u, at > 0u));
    if at == 0u {
        around.before = no_sum();
    }
    let next = select(t.lane, t.lane + 1u, at + 1u < side);
    around.after = Bicyclic(word(t, right.closes, next), word(t, right.opens, next));
    if at + 1u == side {
        around.after = IDENTITY;
    }
    around.all = sum_of_lane(t, left, t.lane - at + side - 1u);
    // The barrier is not in a branch, because compilers cannot prove that all threads take the same one.
    if side < RUNS && at == 0u {
        run_words[t.index] = array(around.all.does.closes, around.all.does.opens, around.all.markers);
    }
    workgroupBarrier();
    if side < RUNS {
        around = runs_of_chunks(t, around, side);
    }
    return around;
}

// Markers are counted for scenes only.
fn sum_of_lane(t: Thread, own: Sum, lane: u32) -> Sum {
    var sum = Sum(Bicyclic(word(t, own.does.closes, lane), word(t, own.does.opens, lane)), 0u);
    @if(scene) sum.markers = word(t, own.markers, lane);
    return sum;
}

// Extends `inside` from one chunk to all chunks of the tile. run_words contains the sum of each chunk.
fn runs_of_chunks(t: Thread, inside: Around, side: u32) -> Around {
    let first = t.index - t.index % RUNS;
    var around = inside;
    var all = no_sum();
    for (var other = first; other < first + RUNS; other += side) {
        let three = run_words[other];
        let sum = Sum(Bicyclic(three[0], three[1]), three[2]);
        if other == t.index - t.index % side {
            around.before = Sum(combine(all.does, inside.before.does), all.markers + inside.before.markers);
        } else if other > t.index {
            around.after = combine(around.after, sum.does);
        }
        all = Sum(combine(all.does, sum.does), all.markers + sum.markers);
    }
    around.all = all;
    return around;
}

// Stores the records of 32 roles. The thread of the first run of each record collects them. All threads call it.
@if(keeps_roles)
fn store_roles(t: Thread, tile: u32, run: Roles, markers_before: u32) {
    let at = t.index % RUNS_PER_RECORD;
    let shift = at * RUN;
    // Wait until all threads have read the sums of the chunks.
    workgroupBarrier();
    run_words[t.index] = array(run.opens << shift, run.markers << shift, run.non_local << shift);
    workgroupBarrier();
    if at == 0u && tile < elements::tile_count() {
        var record = Roles(0u, 0u, 0u, markers_before);
        for (var other = 0u; other < RUNS_PER_RECORD; other++) {
            let three = run_words[t.index + other];
            record.opens |= three[0];
            record.markers |= three[1];
            record.non_local |= three[2];
        }
        roles::store(tile * roles::RECORDS + t.index % RUNS / RUNS_PER_RECORD, record);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// The bundle: its tiles are siblings (lib/siblings.wgsl). There are few, so one thread per tile loops over the others

fn reduce_tiles(thread: u32, bundle: u32) {
    if thread >= BUNDLE_TILES {
        return;
    }
    let own = tile_sums[thread];
    var after = no_sum();
    for (var other = thread + 1u; other < BUNDLE_TILES; other++) {
        let later = tile_sums[other];
        after = Sum(combine(after.does, later.does), after.markers + later.markers);
    }
    let held = own.does.opens - min(own.does.opens, after.does.closes);
    tile_held[thread] = held;
    @if(flows) tile_values[thread] = down_identity();
    if thread == 0u {
        scratch::bundle_store(bundle, Sum(combine(own.does, after.does), own.markers + after.markers));
    }
}

// Stores the start of each tile on the bundle's stack, and the product that flows to the opens that it holds there. This
// is the product of the topmost values that the earlier tiles hold. Tiles past the last start at the end of the stack.
fn store_stack(thread: u32, bundle: u32) {
    if thread >= BUNDLE_TILES {
        return;
    }
    var start = 0u;
    @if(flows) var below = down_identity();
    for (var other = 0u; other < thread; other++) {
        start += tile_held[other];
        @if(flows) below = down_combine(below, tile_values[other]);
    }
    scratch::bundle_start_store(bundle, thread, start);
    let tile = bundle * BUNDLE_TILES + thread;
    @if(flows) {
        if tile < elements::tile_count() {
            down_values::below_tile_store(tile, below);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Survivors

// For one run: the opens that survive the tile, as bits; its first element; the number of survivors of the tile below
// them; its roles, with the number of markers of the tile before it.
struct Survivors {
    opens: u32,
    first: u32,
    below: u32,
    run: Roles,
}

// Stores the survivors of all runs; all threads call it. A chunk stores the survivors of its runs in rows, one per lane.
fn store_survivors(t: Thread, own: Survivors) {
    // The number of survivors of earlier lanes, and of all lanes.
    let count = countOneBits(own.opens);
    var before = count;
    for (var round = 0u; round < rounds(t); round++) {
        let width = 1u << round;
        let earlier = word(t, before, select(t.lane, t.lane - width, t.lane >= width));
        before += select(0u, earlier, t.lane >= width);
    }
    let all = word(t, before, t.lanes - 1u);
    before -= count;
    // The product that flows to the first survivor of a row, from earlier rows and earlier chunks of the tile.
    @if(flows) var carry = product_of_earlier_chunks(t, own);
    // Lanes have reconverged after the loops above (lib/chunks.wgsl). A chunk has at most RUN * lanes survivors, so the
    // loop ends even if lanes return wrong values.
    let longest = min(most(t, all), RUN * lanes(t));
    for (var row = 0u; row < longest; row += lanes(t)) {
        let at = row + t.lane;
        // The place and rank of lanes with at >= all are unused.
        let lane = lane_holding(t, before, at);
        let skip = at - word(t, before, lane);
        let survivors = survivors_of_lane(t, own, lane);
        let place = place_from_bottom(survivors.opens, skip);
        let rank = survivors.below + skip;
        @if(flows) var value = down_identity();
        @if(flows) {
            if at < all {
                // The index comes from another lane, so it is clamped. The stream has an element, because the tile exists.
                value = elements::own_value(min(survivors.first + place, elements::element_count() - 1u));
            }
            // The survivors of a tile are contiguous: `rank` of them precede this one, in this row, in earlier rows or in
            // earlier chunks.
            value = along_chunk(t, min(t.lane, rank), value);
            if rank > t.lane {
                value = down_combine(carry, value);
            }
            carry = chunks::value(t, value, t.lanes - 1u);
        }
        if at < all {
            let tile = survivors.first / TILE;
            let slot = tile * TILE + rank;
            scratch::slot_element_store(slot, survivors.first + place);
            @if(grows) scratch::slot_close_clear(slot);
            @if(grows && scene) {
                let role = roles::role_in(survivors.run, place);
                scratch::slot_open_marker_store(slot, roles::rank_in(survivors.run, place), role);
            }
            @if(flows) {
                down_values::of_slot_store(slot, value);
                // This is the topmost open that the tile holds.
                if rank + 1u == tile_held[tile % BUNDLE_TILES] {
                    tile_values[tile % BUNDLE_TILES] = value;
                }
            }
        }
    }
}

// Returns the last lane with at most `at` survivors before it.
fn lane_holding(t: Thread, before: u32, at: u32) -> u32 {
    var lane = 0u;
    for (var round = 0u; round < rounds(t); round++) {
        let step = t.lanes >> (round + 1u);
        if word(t, before, lane + step) <= at {
            lane += step;
        }
    }
    return lane;
}

fn survivors_of_lane(t: Thread, own: Survivors, lane: u32) -> Survivors {
    var other: Survivors;
    other.opens = word(t, own.opens, lane);
    other.first = word(t, own.first, lane);
    other.below = word(t, own.below, lane);
    @if(grows && scene) {
        other.run.opens = word(t, own.run.opens, lane);
        other.run.markers = word(t, own.run.markers, lane);
        other.run.non_local = word(t, own.run.non_local, lane);
        other.run.markers_before = word(t, own.run.markers_before, lane);
    }
    return other;
}

// Returns the product of the tile's survivors in earlier chunks; the identity if chunks contain whole tiles.
fn product_of_earlier_chunks(t: Thread, own: Survivors) -> Value {
    let is_split = lanes(t) < RUNS;
    if is_split {
        var product = down_identity();
        for (var rest = own.opens; rest != 0u; rest &= rest - 1u) {
            product = down_combine(product, elements::own_value(own.first + firstTrailingBit(rest)));
        }
        shared::store(t.index, product);
    }
    // The barrier is not in the branch, because compilers cannot prove that all threads take it.
    workgroupBarrier();
    var before = down_identity();
    if is_split {
        for (var earlier = t.index - t.index % RUNS; earlier < t.index - t.lane; earlier++) {
            before = down_combine(before, shared::load(earlier));
        }
    }
    return before;
}
