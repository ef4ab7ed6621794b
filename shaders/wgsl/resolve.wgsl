// resolve: the top of the stack before each element of a tile, what flows to each, and what grows in each node.
//
//     workgroup  a tile
//     thread     an element: element tile * TILE + thread (TILE is WORKGROUP_SIZE)
//     chunk      up to 32 elements, which hand values from lane to lane (lib/chunks.wgsl)
//
//     top         = the open on top of the stack before the element: its parent, of an end its begin  (lib/stack.wgsl)
//     outer       = where the top is in an earlier tile: the slot, and what flows from there  (lib/stack_before.wgsl)
//     down        = the product of values along the path from the root: pointer jumping inside the chunk,
//                   then a walk from chunk to chunk
//     write the link and the clip                                                      (lib/answers.wgsl)
//     gaps        = of a scene of few nodes: boxes of the draws between its nodes (lib/gaps.wgsl)
//     up          = of a node, the product over what is inside it: a tree over the lanes, then chunk after chunk;
//                   as much of it as lies in the tile, the rest is span's
//     write the content and the bounds                                                 (lib/answers.wgsl)
//
// An element looks at no more than one entry of an earlier tile: its top. (A host's end also asks for the value below its
// top; or, where its begin is in the tile, for the begin's top.)
//
// An open is also called a begin, a close an end. Conditions: flows, grows = values flow down, grow up; scene, in_place,
// entries, host, monoid = what the stream is (lib/answers.wgsl); one_tile, near, many = the strategy
// (lib/stack_before.wgsl). Entries are never one tile.

import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::lib::chunks::{Thread, rounds, thread_of, value, value_across, word};
import package::lib::stack::Top;
import package::lib::{answers, elements, roles, scratch, stack, stack_before, tile_opens};
import package::lib::roles::{CLOSES, NON_LOCAL, OPENS};
import package::lib::stack_before::Outer;
import package::lib::value::{Value, down_combine, down_identity, up_beside, up_combine, up_identity};
@if(many && flows) import package::lib::down_values;
@if(!one_tile && grows) import package::lib::tile_products;
@if(few_markers) import package::lib::{posts, gaps};
@if(!monoid) import package::lib::rect::{NOTHING, rect_canonical, rect_union};
@if(monoid) import package::monoid::{Input, Output, product_load};
@if(one_tile && scene) import package::lib::marker_indices;
import package::layout::{Counts, Params, TreePlan};
import package::constants::{NONE, SHARED_VALUES, TILE, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> plan: TreePlan;
@if(few_markers) @group(0) @binding(3) var<uniform> counts: Counts;
@if(one_tile && scene) @group(0) @binding(3) var<storage, read_write> counts: Counts;
@if(one_tile) @group(0) @binding(4) var<storage, read> tags: array<u32>;
// With entries, bound as if it were written: NVIDIA's compiler then leaves loads where the kernel has them, ahead of their use.
@if(few_markers) @group(0) @binding(5) var<storage, read_write> rects: array<vec4<f32>>;
@if(!few_markers && !monoid) @group(0) @binding(5) var<storage, read> rects: array<vec4<f32>>;
@if(one_tile && scene) @group(0) @binding(6) var<storage, read_write> markers_before: array<u32>;
@if(one_tile && scene) @group(0) @binding(7) var<storage, read_write> marker_elements: array<u32>;
@group(0) @binding(8) var<storage, read_write> links: array<u32>;
@if(!monoid) @group(0) @binding(9) var<storage, read_write> clips: array<vec4<f32>>;
@if(!monoid) @group(0) @binding(10) var<storage, read_write> contents: array<vec4<f32>>;
@if(!monoid) @group(0) @binding(11) var<storage, read_write> bounds: array<vec4<f32>>;
@group(0) @binding(15) var<storage, read_write> words: array<u32>;
@group(0) @binding(16) var<storage, read_write> values: array<Value>;
@if(monoid) @group(0) @binding(17) var<storage, read> inputs: array<Input>;
@if(monoid) @group(0) @binding(18) var<storage, read_write> outputs: array<Output>;

// One value for each element and, where values grow, one for each chunk: TILE / 4 more, because chunks have at least four
// lanes, or one, and with one lane place_of_chunk() needs no more. (A workgroup has four threads or more.) In turn it holds
//
//     near: what flows under each earlier tile
//     down: what flows from each open of the tile, as far as its chunk knows
//     entries: what flows to the draws of each gap
//     up: the part that a begin or end keeps for the other in another chunk, and the product of each chunk
//
// with a barrier between two of these.
var<workgroup> shared_values: array<Value, SHARED_VALUES>;

// The thread's element.
struct Element {
    // Its place in the stream, and whether the stream has that place. Past the end it has no role.
    index: u32,
    exists: bool,
    role: u32,
    // Of a node of a scene: its number among the nodes; until number_marker(), among those of the tile. Entries have it at once.
    marker: u32,
    // The top of the stack before it, of an end its begin: its place in the tile, or NONE where that is not in the tile;
    top_in_tile: u32,
    // its place in the stream, or NONE where there is none; its slot, where it is in an earlier tile.
    top_element: u32,
    slot: u32,
    // With entries: the scene's element that the entry is.
    @if(few_markers) post: u32,
}

// `own`: the product along the path from the root, with the element's own value. `around`: the same without it, of a host's
// end what flows to its begin. With `many`, `around` is right for those that ask alone (ASKS_AROUND), and for a host.
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

    // The element; and its own value, which nothing waits for yet.
    var e = element_of(tile, t);
    var own = down_identity();
    @if(flows) {
        if e.exists && (e.role & CLOSES) == 0u {
            own = elements::own_value(e.index);
        }
    }
    @if(near) let noted = stack_before::note_earlier_tile(tile, t);
    @if(one_tile && scene) roles::note(t, e.role);

    // The stack in the tile and before it.
    let place = stack::build(t, e.role);
    @if(near) stack_before::join_earlier_tiles(tile, t, noted);
    @if(scene) e.marker = number_marker(t, tile, e);

    // The top, and the open from which what flows to the element comes.
    let top = stack::top_of(t, place);
    var around_open = top;
    @if(host) {
        // What is around an end is around its begin. Of one in an earlier tile it comes with the begin.
        if (e.role & CLOSES) != 0u && top.at != NONE {
            around_open = stack::second_of(t, place);
        }
    }
    let outer = stack_before::outer_of(tile, around_open);
    e.top_in_tile = top.at;
    e.slot = outer.slot;
    e.top_element = select(tile * TILE + top.at, outer.element, top.at == NONE);
    @if(host) let known = answers::load_host(e);
    @if(few_markers) let link = answers::post_link(e.top_element);
    @if(few_markers) let rows = gaps::rows_of(t, tile);
    @if(few_markers) let first_row = gaps::first_row(t, rows);
    // The stack's words and the shared values have been read.
    workgroupBarrier();

    // Down.
    var flow: Flow;
    @if(flows) flow = flow_down(t, e, own, outer, around_open);
    @else store_opens(t, e);
    @if(host) answers::write_host(e, flow, known);
    @elif(few_markers) answers::write_down(e, flow, link);
    @else answers::write_down(e, flow);

    // The draws between nodes, where nodes are few.
    @if(few_markers) gaps::draw(t, tile, rows, first_row, gap_flow(e, flow));
    @if(few_markers && !grows) answers::write_clip(e, flow);

    // Up.
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
    @if(few_markers) {
        if e.exists {
            let post = posts::load(e.index);
            e.post = posts::element(post);
            e.role = posts::role(post);
            e.marker = posts::marker(e.index, post);
        }
    }
    @elif(one_tile || host) e.role = elements::role_at(e.index);
    @else {
        // As reduce_tiles or reduce_bundles stored it; past the last element there is no role.
        let record = roles::load(tile * roles::RECORDS + t.index / 32u);
        e.role = roles::role_in(record, t.index);
        e.marker = roles::rank_in(record, t.index);
    }
    return e;
}

// The number of the element among the scene's nodes. What else is known then is stored: of one tile, node indices; near,
// the nodes before the tile, for the kernels after this one.
@if(scene)
fn number_marker(t: Thread, tile: u32, e: Element) -> u32 {
    @if(one_tile) {
        let marker = roles::noted_rank(t.index);
        marker_indices::store(e.index, marker, e.role != 0u);
        return marker;
    }
    @elif(near) {
        let before = stack_before::markers_before();
        if t.index == 0u {
            scratch::markers_before_tile_store(tile, before);
        }
        return e.marker + before;
    }
    @else return e.marker + scratch::markers_before_tile(tile);
}

// ---------------------------------------------------------------------------------------------------------------------
// Values flow down
//
//     value = own; where the top is not in the tile: what flows from it, or from the root, times own
//     pointer jumping, log2(lanes) rounds: value = that of the lane it points to, then its own
//
//         round 0    e and its parent     round 1    with grandparent and great-grandparent     and so on
//
//     opens store their value in workgroup memory (shared_values)
//     each element walks on from where its path left the chunk: from open to open, each in an earlier chunk
//
// A path's values and parents were stored before a barrier, and every step goes to an earlier chunk: the walk ends, and
// no index is past the tile. The order of the product is kept: the factor nearer the root is the left one.

@if(flows)
fn flow_down(t: Thread, e: Element, own: Value, outer: Outer, around_open: Top) -> Flow {
    var value_so_far = own;
    if e.top_in_tile == NONE {
        value_so_far = down_combine(outer.value, own);
    }
    // The next lane of the path that is not multiplied in; once the path has left the chunk, the last that is, + HAS_LEFT.
    let parent_lane = e.top_in_tile - t.chunk * t.lanes;
    var next_lane = select(t.lane + HAS_LEFT, parent_lane, parent_lane < t.lanes);
    for (var round = 0u; round < rounds(t); round++) {
        let lane = next_lane % HAS_LEFT;
        let further = value(t, value_so_far, lane);
        let after = word(t, next_lane, lane);
        // A path that has left takes the value of its last lane again. A rect that is cut twice stays as it is.
        @if(monoid) let goes_on = next_lane < HAS_LEFT;
        @else let goes_on = true;
        if goes_on {
            value_so_far = down_combine(further, value_so_far);
            next_lane = after;
        }
    }
    // The parent of the element where the path leaves the chunk.
    let parent = word(t, e.top_in_tile, next_lane % HAS_LEFT);
    if (e.role & OPENS) != 0u {
        shared_values[t.index] = value_so_far;
        tile_opens::store_open(t.index, parent, e.role);
    }
    workgroupBarrier();
    @if(grows) note_close(e, t.index);
    let path = path_from(parent, down_identity());
    var flow: Flow;
    flow.own = down_combine(path, value_so_far);
    @if(host) flow.around = around_of_host(e, outer, around_open);
    @elif(grows || few_markers) flow.around = around_of(t, e, outer_value(e, outer, around_open), path, flow.own);
    return flow;
}

// No lane has so high a number.
const HAS_LEFT = 32u;

// Where nothing flows, opens still say that they are open, for their ends.
@if(!flows)
fn store_opens(t: Thread, e: Element) {
    if (e.role & OPENS) != 0u {
        tile_opens::store_open(t.index, NONE, e.role);
    }
    workgroupBarrier();
    @if(grows) note_close(e, t.index);
}

// From an open of the tile, or NONE, up to the root of its path in the tile.
@if(flows)
fn path_from(open: u32, start: Value) -> Value {
    var product = start;
    for (var at = open; at != NONE; at = tile_opens::parent_of_open(at)) {
        product = down_combine(shared_values[at], product);
    }
    return product;
}

// What flows to the element: what flows from its parent, if that is in its chunk; the product of the walk, if that is in an
// earlier chunk; else what flows from an earlier tile.
@if(flows && (grows || few_markers))
fn around_of(t: Thread, e: Element, outer_value: Value, path: Value, whole: Value) -> Value {
    let parent_lane = e.top_in_tile - t.chunk * t.lanes;
    let of_parent = value(t, whole, select(t.lane, parent_lane, parent_lane < t.lanes));
    if parent_lane < t.lanes {
        return of_parent;
    }
    if e.top_in_tile == NONE {
        return outer_value;
    }
    return path;
}

// What flows from the earlier tile, once more. With `many` it is loaded again, by the few elements that ask: a value that is
// kept takes four registers of every thread, and a fourth fewer workgroups run side by side.
@if(flows && (grows || few_markers))
fn outer_value(e: Element, outer: Outer, around_open: Top) -> Value {
    @if(many) {
        if e.top_in_tile != NONE || (e.role & ASKS_AROUND) == 0u {
            return down_identity();
        }
        let tile = e.index / TILE;
        return down_values::of_outer(tile, scratch::tile_load(tile).does.closes, around_open.depth);
    }
    @else return outer.value;
}

// Who asks what flows to it: a non-local open, and with entries any open, for the draws of its gap.
@if(few_markers) const ASKS_AROUND = OPENS;
@else const ASKS_AROUND = NON_LOCAL;

// Of a host, `around` of an end is what flows to its begin.
@if(host)
fn around_of_host(e: Element, outer: Outer, around_open: Top) -> Value {
    if around_open.at != NONE {
        return path_from(tile_opens::parent_of_open(around_open.at), shared_values[around_open.at]);
    }
    if (e.role & CLOSES) != 0u && e.top_in_tile == NONE {
        return outer.around;
    }
    return outer.value;
}

// What flows to the draws of the entry's gap: what is around the entry, but inside its node where it is an end.
@if(few_markers)
fn gap_flow(e: Element, flow: Flow) -> Value {
    @if(flows) {
        if (e.role & OPENS) != 0u {
            return flow.around;
        }
        return flow.own;
    }
    @else return down_identity();
}

// ---------------------------------------------------------------------------------------------------------------------
// Values grow up
//
// Lanes multiply aligned blocks that double. A begin keeps the product of what is after it in its block, an end of what
// is before it and its own leaf, until the next block holds both ends of the node:
//
//     lanes           a  b  | c  d         two blocks of 2, before they make one of 4
//     all             ab ab | cd cd        the product of the block
//     a begin has     b  -  | d  -         what is after it in its block; at a it takes cd next
//     an end has      a  ab | c  cd        what is before it and its own; at d it takes ab next
//
// What the two keep then is the node's product. Where no block of the chunk holds both ends: what is after the begin in
// its chunk, the chunks between, what is before the end in its chunk. A node that goes on in other tiles is left in
// parts: its begin has the product up to the end of the tile, its end the product from the tile's start.

@if(grows)
fn grow_up(t: Thread, tile: u32, e: Element, flow: Flow) {
    let chunks = TILE / t.lanes;
    let is_close = (e.role & CLOSES) != 0u;
    let leaf = own_growth(t, e, flow);
    // What flows from opens has been read, and what grows takes its place. Ends are noted.
    workgroupBarrier();
    // The other end of the node, if it is in the tile.
    var other = NONE;
    if (e.role & OPENS) != 0u {
        other = tile_opens::close_of_open(t.index);
    } else if is_close {
        other = e.top_in_tile;
    }
    @if((scene || few_markers) && flows) answers::write_non_local(e, tile, other, leaf);
    @if((scene || few_markers) && !flows) answers::write_non_local(e, tile, other, params.viewport);

    var all = leaf;
    var content = first_kept(leaf, is_close);
    // The two ends meet in round b, the highest bit in which their places differ. `apart` is TILE or more where there is no
    // other end.
    let apart = other ^ t.index;
    // Bit r: in round r, before the two ends meet, the block beside is on the side that the lane collects: after a begin,
    // before an end.
    let joins = select(~t.lane, t.lane, is_close) & ((1u << firstLeadingBit(apart)) - 1u);
    for (var round = 0u; round < rounds(t); round++) {
        let width = 1u << round;
        let beside = value_across(t, all, width);
        if (joins & width) != 0u {
            content = up_beside(content, beside, is_close);
        }
        all = up_beside(all, beside, (t.lane & width) != 0u);
    }
    let others_part = value(t, content, other % t.lanes);
    if apart < t.lanes {
        content = up_beside(content, others_part, is_close);
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
            if is_close {
                first = select(0u, other / t.lanes + 1u, is_whole);
                end = t.chunk;
            }
            content = up_beside(content, product_of_chunks(t, first, end), is_close);
            if is_whole {
                content = up_beside(content, kept_of(t, other, is_close), is_close);
            }
        }
        // A node that never ends ends with the only tile.
        @if(one_tile) is_whole |= !is_close;
        // An end without a begin has nothing inside.
        if is_close && e.top_element == NONE {
            content = up_identity();
            is_whole = true;
        }
        answers::write_up(e, other, content, is_whole);
    }
    @if(!one_tile) {
        if t.index == 0u {
            tile_products::of_tile_store(tile, product_of_chunks(t, 0u, chunks));
        }
    }
}

// Tells the begin where its node ends: in the tile, or by its slot.
@if(grows)
fn note_close(e: Element, thread: u32) {
    if (e.role & CLOSES) != 0u {
        if e.top_in_tile != NONE {
            tile_opens::store_close(e.top_in_tile, thread);
        }
        @if(!one_tile) {
            if e.top_in_tile == NONE && e.top_element != NONE {
                scratch::slot_close_store(e.slot, e.index);
                @if(scene) scratch::slot_close_marker_store(e.slot, e.marker);
            }
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

// What the other end has kept. With chunks of one lane shared_values has its leaf instead.
@if(grows)
fn kept_of(t: Thread, other: u32, is_close: bool) -> Value {
    let kept = shared_values[other];
    if t.lanes == 1u && is_close {
        return first_kept(kept, false);
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
        @if(few_markers) own = gaps::painted(e.index);
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

// What a lane keeps at first. A begin is not inside itself, but for a caller's monoid its own value is the first factor.
@if(grows)
fn first_kept(leaf: Value, is_close: bool) -> Value {
    @if(monoid) return leaf;
    @else return select(NOTHING, leaf, is_close);
}
