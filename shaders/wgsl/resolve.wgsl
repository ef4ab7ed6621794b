// resolve: the top of the stack before each element of a tile, what flows to each, and what grows in each node.
//
//     workgroup  a tile
//     thread     an element: element tile * TILE + thread
//     chunk      up to 32 elements, which hand values from lane to lane (lib/chunks.wgsl)
//
//     top         = the open on top of the stack before the element: its parent, of an end its begin  (lib/stack.wgsl)
//     outer       = where that is in an earlier tile: the slot, and what flows from there
//                     one_tile   there are no other tiles
//                     near       the stack that the earlier tiles leave, found here (lib/siblings.wgsl)
//                     many       spine has found it
//     down        = the product of values along the path from the root: pointer jumping inside the chunk,
//                   then a walk from chunk to chunk
//     gaps        = of a scene of few nodes: boxes of the draws between its nodes (lib/gaps.wgsl)
//     up          = of a node, the product over what is inside it: a tree over the lanes, then chunk after chunk;
//                   as much of it as lies in the tile, the rest is span's
//
// Every element looks at one entry of an earlier tile at most (a host's end also at the value of the one below): where its
// top is there, so is what is around it.
//
// An open is also called a begin, a close an end. Conditions: flows, grows = values flow down, grow up; scene, in_place,
// entries, host, monoid = what the stream is (lib/elements.wgsl).

import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::lib::chunks::{Thread, rounds, thread_of, value, value_across, word};
import package::lib::stack::{Place, Top, shared_words};
import package::lib::{elements, roles, scratch, stack};
import package::lib::outer::{Outer, nothing};
import package::lib::roles::{CLOSES, NON_LOCAL, OPENS};
import package::lib::value::{Value, down_combine, down_identity, up_beside, up_combine, up_identity};
@if(near) import package::lib::siblings;
@if(!one_tile && flows) import package::lib::down_values;
@if(entries) import package::lib::{entries, gaps};
@if(!monoid) import package::lib::rect::{NOTHING, rect_canonical, rect_union};
@if(monoid && flows) import package::monoid::{Input, Output, product_store};
@if(monoid && grows) import package::monoid::{Input, Output, product_load, product_store};
@if(host) import package::host::{HostTop, host_emit, host_top};
@if(one_tile && scene) import package::lib::node_indices;
import package::layout::{Counts, Params, TreePlan};
import package::constants::{NONE, SHARED_VALUES, TILE, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> plan: TreePlan;
@if(entries) @group(0) @binding(3) var<uniform> counts: Counts;
@if(one_tile && scene) @group(0) @binding(3) var<storage, read_write> counts: Counts;
@if(one_tile) @group(0) @binding(4) var<storage, read> tags: array<u32>;
// With entries, bound as if it were written: NVIDIA's compiler then leaves loads where they stand, ahead of their use.
@if(entries) @group(0) @binding(5) var<storage, read_write> rects: array<vec4<f32>>;
@if(!entries && !monoid) @group(0) @binding(5) var<storage, read> rects: array<vec4<f32>>;
@if(one_tile && scene) @group(0) @binding(6) var<storage, read_write> nodes_before: array<u32>;
@if(one_tile && scene) @group(0) @binding(7) var<storage, read_write> node_elements: array<u32>;
@group(0) @binding(8) var<storage, read_write> links: array<u32>;
@if(!monoid) @group(0) @binding(9) var<storage, read_write> clips: array<vec4<f32>>;
@if(!monoid) @group(0) @binding(10) var<storage, read_write> contents: array<vec4<f32>>;
@if(!monoid) @group(0) @binding(11) var<storage, read_write> bounds: array<vec4<f32>>;
@group(0) @binding(15) var<storage, read_write> words: array<u32>;
@group(0) @binding(16) var<storage, read_write> values: array<Value>;
@if(monoid) @group(0) @binding(17) var<storage, read> inputs: array<Input>;
@if(monoid) @group(0) @binding(18) var<storage, read_write> outputs: array<Output>;

// A value an element, and where values grow one more for each chunk (chunks have one lane, or four or more); it serves in
// turn
//
//     near: what flows under each earlier tile
//     down: what flows to each open of the tile
//     entries: what flows to the draws of each gap
//     up: what the chunk's part of each node has, and what each chunk has
//
// with a barrier between two of these.
var<workgroup> shared_values: array<Value, SHARED_VALUES>;

// The thread's element.
struct Element {
    // Its place in the stream, and whether the stream is so long. Past the end it has no role.
    index: u32,
    exists: bool,
    role: u32,
    // Of a node of a scene: its number among the nodes.
    node: u32,
    // The top of the stack before it, of an end its begin: a place in the tile, or NONE;
    parent: u32,
    // and its element in the stream, or NONE; and its slot where that is in an earlier tile.
    top: u32,
    slot: u32,
    // With entries: the scene's element that the entry stands for.
    @if(entries) entry: u32,
}

// What flows to an element, and what flows from it.
struct Flow {
    around: Value,
    own: Value,
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let tile = workgroup_index(workgroup);
    // Where there are no elements, the first tile of a scene still stores the counts.
    if tile >= elements::tile_count() && !(RUNS_EMPTY && tile == 0u) {
        return;
    }
    let t = thread_of(workgroup, local);
    var e = element_of(tile, t);
    // Loads that nothing waits for yet.
    var own = down_identity();
    @if(flows) {
        if e.exists && (e.role & CLOSES) == 0u {
            own = elements::own_value(e.index);
        }
    }
    @if(near) let noted = siblings::note(t, earlier_tile(tile, t.index));
    @if(one_tile && scene) roles::note(t, e.role);

    let place = stack::build(t, e.role);
    @if(one_tile && scene) {
        e.node = roles::noted_rank(t.index);
        node_indices::store(e.index, e.node, e.role != 0u);
    }
    @if(near) look_at_earlier_tiles(tile, t, noted);
    @if(!one_tile && scene) {
        @if(near) {
            let before = siblings::total(0u).nodes;
            if t.index == 0u {
                scratch::nodes_before_tile_store(tile, before);
            }
            e.node += before;
        }
        @else e.node += scratch::nodes_before_tile(tile);
    }

    let top = stack::top_of(t, place);
    // The open from which what flows to the element comes.
    var around = top;
    @if(host) {
        // What is around an end is around its begin. Of one in an earlier tile it comes with the begin.
        if (e.role & CLOSES) != 0u && top.at != NONE {
            around = stack::second_of(t, place);
        }
    }
    let outer = outer_of(tile, top, around);
    e.parent = top.at;
    e.slot = outer.slot;
    e.top = select(tile * TILE + top.at, outer.element, top.at == NONE);
    @if(host) let known = ask_host(e);
    @if(entries) let link = entry_link(e.top);
    @if(entries) let rows = gaps::rows_of(t, tile);
    @if(entries) let first_row = gaps::first_row(t, rows);
    // The stack's words and the shared values have been read.
    workgroupBarrier();

    var flow: Flow;
    @if(flows) {
        flow = flow_down(t, e, own, outer, around);
        @if(host) write_host(e, flow, known);
    }
    @if(!flows) {
        if (e.role & OPENS) != 0u {
            open_store(t.index, NONE, e.role);
        }
        workgroupBarrier();
        @if(grows) note_end(e, t.index);
    }
    @if(entries) write_entry_down(e, flow, link);
    @elif(!host) write_down(e, flow);
    @if(entries) gaps::draw(t, tile, rows, first_row, gap_flow(e, flow));
    @if(entries && !grows) write_entry_clip(e, flow);
    @if(grows) grow_up(t, tile, e, flow);
}

// Whether the first tile runs where there is no element.
@if(one_tile && scene) const RUNS_EMPTY = true;
@else const RUNS_EMPTY = false;

// ---------------------------------------------------------------------------------------------------------------------
// What the element is

fn element_of(tile: u32, t: Thread) -> Element {
    var e: Element;
    e.index = tile * TILE + t.index;
    e.exists = e.index < elements::element_count();
    @if(entries) {
        if e.exists {
            let entry = entries::load(e.index);
            e.entry = entries::element(entry);
            e.role = entries::role(entry);
            e.node = entries::node(e.index, entry);
        }
    }
    @elif(one_tile || host) e.role = elements::role_at(e.index);
    @else {
        // As reduce has stored it; past the last element there is no role.
        let record = roles::load(tile * roles::RECORDS + t.index / 32u);
        e.role = roles::role_in(record, t.index);
        e.node = roles::rank_in(record, t.index);
    }
    return e;
}

// ---------------------------------------------------------------------------------------------------------------------
// The stack before the tile

// What the thread's earlier tile does, if it has one.
@if(near)
fn earlier_tile(tile: u32, thread: u32) -> scratch::Sum {
    if thread < tile {
        return scratch::tile_load(thread);
    }
    return scratch::no_sum();
}

// There are no more tiles than threads: each looks at an earlier one. Ends with a barrier; siblings::find() may be asked then.
@if(near)
fn look_at_earlier_tiles(tile: u32, t: Thread, noted: siblings::Noted) {
    let held = siblings::hold(t, noted, 0u);
    @if(flows) {
        var topmost = down_identity();
        if held > 0u {
            topmost = down_values::of_slot(t.index * TILE + held - 1u);
        }
        siblings::flow(t, topmost, 0u);
    }
    @else workgroupBarrier();
}

// The entry of an earlier tile that the element looks at, if it looks at one.
fn outer_of(tile: u32, top: Top, around: Top) -> Outer {
    @if(one_tile) return nothing();
    @else {
        if around.at != NONE {
            return nothing();
        }
        return outer_at(tile, select(around.depth, top.depth, top.at == NONE));
    }
}

// The entry `depth` below the top of the stack before the tile.
@if(near)
fn outer_at(tile: u32, depth: u32) -> Outer {
    if depth >= siblings::total(0u).does.opens {
        return nothing();
    }
    let entry = siblings::find(depth, tile, 0u);
    var outer: Outer;
    outer.slot = entry.sibling * TILE + entry.rank;
    outer.element = scratch::slot_element(outer.slot);
    @if(flows) {
        let under = down_combine(elements::root_value(), siblings::below(entry.sibling, 0u));
        outer.value = down_combine(under, down_values::of_slot(outer.slot));
        @if(host) {
            outer.around = under;
            if entry.rank > 0u {
                outer.around = down_combine(under, down_values::of_slot(outer.slot - 1u));
            }
        }
    }
    return outer;
}

// The same entry, as spine has stored it. Fewer closes than TILE come before an element, and depth is at most those: spine
// has stored all of these, and a value even where there is no entry.
@if(many)
fn outer_at(tile: u32, depth: u32) -> Outer {
    let slot = words[scratch::outer_word(tile, depth)];
    if slot == NONE {
        return nothing();
    }
    var outer: Outer;
    outer.slot = slot;
    outer.element = scratch::slot_element(slot);
    @if(flows) {
        let closes = scratch::tile_load(tile).does.closes;
        outer.value = down_values::of_outer(tile, closes, depth);
        @if(host) {
            outer.around = outer.value;
            // Below all that the tile closes nobody asks what is around.
            if depth < closes {
                outer.around = down_values::of_outer(tile, closes, depth + 1u);
            }
        }
    }
    return outer;
}

// ---------------------------------------------------------------------------------------------------------------------
// Values flow down
//
//     value = own, after what flows from the top where that is in an earlier tile
//     pointer jumping, log2(lanes) rounds: value = that of the lane it points to, then its own
//
//         round 0    e and its parent     round 1    with grandparent and great-grandparent     and so on
//
//     opens store their value in workgroup memory (shared_values)
//     each element goes on from where its path left the chunk: an open of an earlier chunk a step
//
// A path's values and parents were stored before a barrier, and every step goes to an earlier chunk: the walk ends, and
// no index is past the tile. The order of the product is kept: what is around stands left.

@if(flows)
fn flow_down(t: Thread, e: Element, own: Value, outer: Outer, around: Top) -> Flow {
    var value_so_far = own;
    if e.parent == NONE {
        value_so_far = down_combine(outer.value, own);
    }
    // The lane that the path goes on from; + LEFT where the path leaves the chunk at this lane's element.
    let parent_lane = e.parent - t.chunk * t.lanes;
    var source = select(t.lane | LEFT, parent_lane, parent_lane < t.lanes);
    for (var round = 0u; round < rounds(t); round++) {
        let lane = source % LEFT;
        let further = value(t, value_so_far, lane);
        let next = word(t, source, lane);
        if source < LEFT {
            value_so_far = down_combine(further, value_so_far);
            source = next;
        }
    }
    // The parent of the element where the path leaves the chunk.
    let parent = word(t, e.parent, source % LEFT);
    if (e.role & OPENS) != 0u {
        shared_values[t.index] = value_so_far;
        open_store(t.index, parent, e.role);
    }
    workgroupBarrier();
    @if(grows) note_end(e, t.index);
    let path = path_from(parent, down_identity());
    var flow: Flow;
    flow.own = down_combine(path, value_so_far);
    @if(host) flow.around = around_of_host(e, outer, around);
    @elif(grows || entries) flow.around = around_of(t, e, outer_value(e, outer, around), path, flow.own);
    return flow;
}

const LEFT = 32u;

// From an open of the tile, or NONE, up to the root of its path in the tile.
@if(flows)
fn path_from(open: u32, own: Value) -> Value {
    var product = own;
    for (var at = open; at != NONE; at = open_parent(at)) {
        product = down_combine(shared_values[at], product);
    }
    return product;
}

// What flows to the element: what flows from its parent, if that is in its chunk; else all that its path has met, or
// what flows from an earlier tile.
@if(flows && (grows || entries))
fn around_of(t: Thread, e: Element, outer_value: Value, path: Value, whole: Value) -> Value {
    let parent_lane = e.parent - t.chunk * t.lanes;
    let of_parent = value(t, whole, select(t.lane, parent_lane, parent_lane < t.lanes));
    if parent_lane < t.lanes {
        return of_parent;
    }
    if e.parent == NONE {
        return outer_value;
    }
    return path;
}

// What flows from the earlier tile, once more. Where many workgroups run side by side it is loaded again, by the few
// elements that ask: a value that is kept takes four registers of every thread, so that a fourth fewer workgroups fit.
@if(flows && (grows || entries))
fn outer_value(e: Element, outer: Outer, around: Top) -> Value {
    @if(many) {
        if e.parent != NONE || (e.role & ASKS_AROUND) == 0u {
            return down_identity();
        }
        let tile = e.index / TILE;
        return down_values::of_outer(tile, scratch::tile_load(tile).does.closes, around.depth);
    }
    @else return outer.value;
}

// Who asks what flows to it: a non-local open, and with entries any open, for the draws of its gap.
@if(entries) const ASKS_AROUND = OPENS;
@else const ASKS_AROUND = NON_LOCAL;

// Of a host, what is around an end is around its begin.
@if(host)
fn around_of_host(e: Element, outer: Outer, around: Top) -> Value {
    if around.at != NONE {
        return path_from(open_parent(around.at), shared_values[around.at]);
    }
    if (e.role & CLOSES) != 0u && e.parent == NONE {
        return outer.around;
    }
    return outer.value;
}

// ---------------------------------------------------------------------------------------------------------------------
// Opens of the tile, a word each: where the path goes on, in an earlier chunk; where the node ends; the role. A tile
// has 1,024 elements at most, so 11 bits hold a place + 1, or 0 for none.
//
// The open's own thread stores the word; after a barrier the thread of its end adds the end, while other threads read
// where the path goes on.

const PLACE_BITS = 11u;
const PLACE_MASK = (1u << PLACE_BITS) - 1u;

fn open_store(at: u32, parent: u32, role: u32) {
    atomicStore(&shared_words[at], (role << (2u * PLACE_BITS)) | (parent + 1u));
}

fn open_parent(at: u32) -> u32 {
    return (atomicLoad(&shared_words[at]) & PLACE_MASK) - 1u;
}

fn open_role(at: u32) -> u32 {
    return atomicLoad(&shared_words[at]) >> (2u * PLACE_BITS);
}

// One thread an open: a node has one end.
fn open_end_store(at: u32, end: u32) {
    atomicOr(&shared_words[at], (end + 1u) << PLACE_BITS);
}

// A place in the tile, or NONE. A barrier must part it from open_end_store.
fn open_end(at: u32) -> u32 {
    return ((atomicLoad(&shared_words[at]) >> PLACE_BITS) & PLACE_MASK) - 1u;
}

// Tells the begin where its node ends: in the tile, or by its slot.
@if(grows)
fn note_end(e: Element, thread: u32) {
    if (e.role & CLOSES) != 0u {
        if e.parent != NONE {
            open_end_store(e.parent, thread);
        }
        @if(!one_tile) {
            if e.parent == NONE && e.top != NONE {
                scratch::slot_end_store(e.slot, e.index);
                @if(scene) scratch::slot_end_node_store(e.slot, e.node);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Values grow up
//
// Lanes multiply aligned blocks that double. A begin keeps the product of what is after it in its block, an end of what
// is before it and its own leaf, until the next block holds both ends of the node:
//
//     two blocks of 2     ab ab | cd cd        all: the block's product, in each lane
//     make one of 4       b  -  | -  -         after: b, then cd comes to it
//                         -  -  | c  cd        before: ab comes to them
//
// What the two keep then is the node's product. Where no block of the chunk holds both ends: what is after the begin in
// its chunk, the chunks between, what is before the end in its chunk. A node that goes on in other tiles is left in
// parts: its begin has the product up to the end of the tile, its end the product from the tile's start.

@if(grows)
fn grow_up(t: Thread, tile: u32, e: Element, flow: Flow) {
    let chunks = TILE / t.lanes;
    let is_end = (e.role & CLOSES) != 0u;
    let leaf = own_growth(t, e, flow);
    // The shared values have been read, and ends are noted.
    workgroupBarrier();
    // The other end of the node, if it is in the tile.
    var other = NONE;
    if (e.role & OPENS) != 0u {
        other = open_end(t.index);
    } else if is_end {
        other = e.parent;
    }
    @if((scene || entries) && flows) write_non_local(e, tile, other, leaf);
    @if((scene || entries) && !flows) write_non_local(e, tile, other, rect_union(NOTHING, params.viewport));

    var all = leaf;
    var content = inside_begin(leaf, is_end);
    // Begin and end whose places differ first in bit b meet in a block of 2^(b + 1). `apart` is at least TILE where there
    // is no other end.
    let apart = other ^ t.index;
    // A bit for each round whose block beside lies on the side that the lane keeps: after a begin, before an end.
    let joins = select(~t.lane, t.lane, is_end) & ((1u << firstLeadingBit(apart)) - 1u);
    for (var round = 0u; round < rounds(t); round++) {
        let width = 1u << round;
        let beside = value_across(t, all, width);
        if (joins & width) != 0u {
            content = up_beside(content, beside, is_end);
        }
        all = up_beside(all, beside, (t.lane & width) != 0u);
    }
    let others_part = value(t, content, other % t.lanes);
    if apart < t.lanes {
        content = up_beside(content, others_part, is_end);
    } else if other < TILE && t.lanes > 1u {
        shared_values[t.index] = content;
    }
    if t.lane == t.lanes - 1u {
        shared_values[place_of_chunk(t, t.chunk)] = all;
    }
    workgroupBarrier();

    if e.role != 0u {
        var is_whole = other < TILE;
        if apart >= t.lanes {
            // The chunks between the two ends, or up to the border of the tile.
            var first = t.chunk + 1u;
            var end = select(chunks, other / t.lanes, is_whole);
            if is_end {
                first = select(0u, other / t.lanes + 1u, is_whole);
                end = t.chunk;
            }
            content = up_beside(content, product_of_chunks(t, first, end), is_end);
            if is_whole {
                content = up_beside(content, kept_of(t, other, is_end), is_end);
            }
        }
        // A node that never ends ends with the only tile.
        @if(one_tile) is_whole |= !is_end;
        // An end without a begin has nothing inside.
        if is_end && e.top == NONE {
            content = up_identity();
            is_whole = true;
        }
        write_up(e, other, content, is_whole);
    }
    @if(!one_tile) {
        if t.index == 0u {
            values[plan.tile_products + tile] = product_of_chunks(t, 0u, chunks);
        }
    }
}

// The place of a chunk's product in shared_values. Chunks of one lane keep nothing else there.
@if(grows)
fn place_of_chunk(t: Thread, chunk: u32) -> u32 {
    return select(TILE, 0u, t.lanes == 1u) + chunk;
}

@if(grows)
fn product_of_chunks(t: Thread, first: u32, end: u32) -> Value {
    var product = up_identity();
    for (var chunk = first; chunk < end; chunk++) {
        product = up_combine(product, shared_values[place_of_chunk(t, chunk)]);
    }
    return product;
}

// What the other end has kept. A chunk of one lane is the other end's own growth.
@if(grows)
fn kept_of(t: Thread, other: u32, is_end: bool) -> Value {
    let kept = shared_values[other];
    if t.lanes == 1u && is_end {
        return inside_begin(kept, false);
    }
    return kept;
}

// What an element adds to the nodes around it: a draw its visible box, an entry what its gap paints; a non-local begin all
// that is around it; of a monoid, all but an end their own value.
@if(grows)
fn own_growth(t: Thread, e: Element, flow: Flow) -> Value {
    if !e.exists {
        return up_identity();
    }
    @if(monoid) {
        if (e.role & CLOSES) != 0u {
            return up_identity();
        }
        return product_load(inputs[e.index]);
    }
    @else {
        var own = NOTHING;
        @if(entries) own = gaps::painted(e.index);
        @elif(flows) own = select(NOTHING, rect_canonical(flow.own), e.role == 0u);
        @else {
            if e.role == 0u {
                own = rects[e.index];
            }
        }
        if (e.role & NON_LOCAL) != 0u {
            @if(flows) own = rect_canonical(flow.around);
            @else own = rect_union(own, params.viewport);
        }
        return own;
    }
}

// What a lane keeps at first: a begin is not inside itself, but for a caller's monoid its own value is the first factor.
@if(grows)
fn inside_begin(leaf: Value, is_end: bool) -> Value {
    @if(monoid) return leaf;
    @else return select(NOTHING, leaf, is_end);
}

// ---------------------------------------------------------------------------------------------------------------------
// Answers. Past the capacity of nodes nothing is written; entries have no such nodes (compact_nodes).

// The clip of a node or the visible box of a draw. An end without a begin has none.
@if(flows && !monoid)
fn clip_of(e: Element, flow: Flow) -> vec4<f32> {
    let is_lost = (e.role & CLOSES) != 0u && e.top == NONE;
    return select(rect_canonical(flow.own), NOTHING, is_lost);
}

// What is known before anything grows.
@if(!host && !entries)
fn write_down(e: Element, flow: Flow) {
    if !e.exists {
        return;
    }
    @if(scene && flows) {
        let clip = clip_of(e, flow);
        @if(grows) {
            if e.role == 0u {
                bounds[e.index] = clip;
            }
        }
        @else bounds[e.index] = clip;
        if e.role != 0u && e.node < plan.node_capacity {
            links[e.node] = e.top;
            clips[e.node] = clip;
        }
    }
    @if(scene && !flows) {
        if e.role == 0u {
            bounds[e.index] = rects[e.index];
        } else if e.node < plan.node_capacity {
            links[e.node] = e.top;
        }
    }
    @if(in_place) {
        links[e.index] = e.top;
        @if(flows) clips[e.index] = clip_of(e, flow);
        @if(grows) {
            if e.role == 0u {
                @if(flows) contents[e.index] = clip_of(e, flow);
                @else contents[e.index] = rects[e.index];
            }
        }
    }
    @if(monoid && flows) outputs[e.index] = product_store(flow.own);
    @if(monoid && grows) {
        if e.role == 0u {
            outputs[e.index] = product_store(product_load(inputs[e.index]));
        }
    }
}

// The content of a node, or as much of it as is in the tile.
@if(grows)
fn write_up(e: Element, other: u32, content: Value, is_whole: bool) {
    @if(scene) {
        if e.node < plan.node_capacity {
            contents[e.node] = content;
        }
    }
    @if(entries) contents[e.node] = content;
    @if(in_place) contents[e.index] = content;
    @if(scene || entries) {
        var role = e.role;
        if (role & CLOSES) != 0u && other < TILE {
            role = open_role(other);
        }
        if (role & NON_LOCAL) == 0u {
            bounds[scene_element(e)] = content;
        }
    }
    @if(monoid) {
        if is_whole {
            outputs[e.index] = product_store(content);
        } else {
            // Span joins the parts.
            values[plan.parts + e.index] = content;
        }
    }
}

// The bounds of a non-local node are all that is around it. Its begin knows that before anything grows, and writes it
// at its end too, if that is in the tile.
@if(grows && (scene || entries))
fn write_non_local(e: Element, tile: u32, other: u32, around: Value) {
    if (e.role & NON_LOCAL) != 0u {
        bounds[scene_element(e)] = around;
        if other < TILE {
            @if(entries) bounds[entries::element(entries::load(tile * TILE + other))] = around;
            @else bounds[tile * TILE + other] = around;
        }
    }
}

@if(scene)
fn scene_element(e: Element) -> u32 {
    return e.index;
}

@if(entries)
fn scene_element(e: Element) -> u32 {
    return e.entry;
}

// Of few nodes.
@if(entries)
fn write_entry_down(e: Element, flow: Flow, link: u32) {
    if e.role != 0u {
        links[e.node] = link;
        @if(flows) clips[e.node] = clip_of(e, flow);
    }
}

// Where nothing grows, the bounds of a node are its clip. The row that its element is in has been stored before.
@if(entries && !grows)
fn write_entry_clip(e: Element, flow: Flow) {
    if e.role != 0u {
        bounds[e.entry] = clip_of(e, flow);
    }
}

// The scene's element of the top, asked for early.
@if(entries)
fn entry_link(top: u32) -> u32 {
    if top == NONE {
        return NONE;
    }
    return entries::element(entries::load(top));
}

// What flows to the draws of the entry's gap: what is around the entry, but inside its node where it is an end.
@if(entries)
fn gap_flow(e: Element, flow: Flow) -> Value {
    @if(flows) {
        if (e.role & OPENS) != 0u {
            return flow.around;
        }
        return flow.own;
    }
    @else return down_identity();
}

@if(host)
fn ask_host(e: Element) -> HostTop {
    var known: HostTop;
    if e.exists {
        known = host_top(e.index, e.role, e.top);
    }
    return known;
}

@if(host)
fn write_host(e: Element, flow: Flow, known: HostTop) {
    if e.exists {
        host_emit(e.index, e.role, e.top, clip_of(e, flow), rect_canonical(flow.around), known);
    }
}
