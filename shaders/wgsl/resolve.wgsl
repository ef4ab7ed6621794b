// resolve: computes the link of each element of a tile, the product of the values that flow down to it, and the product of
// the values inside each node.
//
//     workgroup  one tile
//     thread     one element: element tile * TILE + thread (TILE is WORKGROUP_SIZE)
//     chunk      up to 32 elements, whose lanes exchange values (lib/chunks.wgsl)
//
//     link      = the open on top of the stack before the element                           (lib/stack.wgsl)
//     incoming  = if the link is in an earlier tile: that open, and the product that flows from it  (lib/incoming.wgsl)
//     down      = the product of the values along the path from the root to the element: pointer jumping inside the
//                 chunk, then a walk from chunk to chunk
//     store the link and the clip                                                           (lib/answers_shared.wgsl)
//     gaps      = with few markers: the boxes of the draws between the markers              (lib/gaps.wgsl)
//     up        = for each node, the product over the elements inside it: a tree over the lanes, then chunk after chunk.
//                 For a node that continues in other tiles, this is the part inside the tile, and span joins the parts.
//     store the content and the bounds                                                      (lib/answers_shared.wgsl)
//
// An element has one link, so it needs at most one open of the incoming stack. In an adapter's stream, a close also needs the
// value that flows to its matching open; lib/incoming.wgsl finds both values together.
//
// Conditions: flows, grows = values flow down, grow up; scene, in_place, few_markers, monoid, adapter = the kind of
// stream; filters = elements may have one filter around them; one_tile, near, many = the strategy. Code that depends only
// on the kind of stream is in `package::answers`, and code that depends on the kind of value in `package::value`; the
// linker maps both to the file of the kernel's kind. With few markers, the stream has several tiles.

import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::lib::chunks::{Thread, rounds, thread_of, value, value_across, word};
import package::lib::stack::Link;
import package::lib::{
    beyond, chunks, elements, gaps, incoming, marker_indices, posts, roles, scratch, shared, stack, tile_opens, tile_products,
    up_shared
};
import package::lib::roles::{CLOSES, NON_LOCAL, OPENS};
import package::lib::incoming::Incoming;
import package::value::{Content, DOWN_IS_IDEMPOTENT, Value, content_beside, content_identity, content_of, down_combine};
import package::value::{down_identity, part_of_leaf, placed, up_beside, up_combine, up_identity};
import package::answers::{Early, first_factor, leaf_of, load_early, number_marker, side_of, tag_of};
import package::answers::{write_down, write_gaps, write_non_local, write_up};
import package::monoid::{Input, Output};
import package::layout::{Counts, Params, TreePlan};
import package::constants::{NONE, TILE, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> plan: TreePlan;
@if(few_markers) @group(0) @binding(52) var<uniform> frame_counts: Counts;
@group(0) @binding(3) var<storage, read_write> counts: Counts;
@group(0) @binding(4) var<storage, read> tags: array<u32>;
@group(0) @binding(5) var<storage, read> rects: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> markers_before: array<u32>;
@group(0) @binding(7) var<storage, read_write> marker_elements: array<u32>;
@group(0) @binding(8) var<storage, read_write> links: array<u32>;
@group(0) @binding(9) var<storage, read_write> clips: array<vec4<f32>>;
@group(0) @binding(10) var<storage, read_write> contents: array<vec4<f32>>;
@group(0) @binding(11) var<storage, read_write> boxes: array<vec4<f32>>;
@group(0) @binding(15) var<storage, read_write> words: array<u32>;
@group(0) @binding(16) var<storage, read_write> values: array<Value>;
@group(0) @binding(17) var<storage, read> inputs: array<Input>;
@group(0) @binding(18) var<storage, read_write> outputs: array<Output>;

// Workgroup memory (lib/shared.wgsl) contains, one after the other, with barriers in between:
//
//     near          the product that flows to the opens that each earlier tile holds
//     down          for each open of the tile, the product along its path inside its chunk
//     few markers   the product that flows to the draws of each gap
//     up            the parts of contents, and the products of chunks (lib/up_shared.wgsl)

// The thread's element.
struct Element {
    // The element's index in the stream, and whether it is less than the number of elements. If not, its role is 0.
    index: u32,
    exists: bool,
    role: u32,
    // For a marker of a scene: its index among the markers. Before number_marker(), its index among the markers of the
    // tile.
    marker: u32,
    // The index in the caller's scene. It differs from `index` only with few markers.
    scene_element: u32,
    // The link: its place in the tile, or NONE if it is in another tile; its index in the stream, or NONE if there is no
    // link; its slot if it is in an earlier tile.
    link_in_tile: u32,
    link: u32,
    slot: u32,
    // With filters: the tag of the open of a marker's node, and on which side of a filter its content is
    // (lib/answers_filtered.wgsl).
    tag: u32,
    side: u32,
}

// The values that flow down the path to an element.
struct Flow {
    // The product of the values on the path from the root, including the element's own value.
    product: Value,
    // The product without the element's own value; for a close in an adapter's stream, that of its matching open.
    // Set for adapters, and if values grow or there are few markers. With many tiles, it is valid only if the link is in
    // the tile or the role is in NEEDS_INHERITED.
    inherited: Value,
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let tile = workgroup_index(workgroup);
    if tile >= elements::tile_count() {
        return;
    }
    let t = thread_of(workgroup, local);

    // Load the element and its value. The value is not needed until later.
    var e = element_of(tile, t);
    var own = down_identity();
    @if(flows) {
        if e.exists && (e.role & CLOSES) == 0u {
            own = elements::own_value(e.index);
        }
    }
    @if(near) let scan = incoming::begin_scan(tile, t);
    @if(one_tile && scene) roles::collect(t, e.role);

    // Build the stack of the tile and the incoming stack. build() ends with the barrier that begin_scan() and collect()
    // require.
    let place = stack::build(t, e.role);
    @if(near) incoming::finish_scan(tile, t, scan);
    @if(scene) e.marker = number_marker(t, tile, e);

    // Find the link, and the open whose product the element inherits. They differ only for closes in
    // an adapter's stream.
    let link = stack::link_of(t, place);
    var source = link;
    @if(adapter) {
        // The close inherits the same value as its matching open. If that open is in an earlier tile, open_at() finds
        // both values.
        if (e.role & CLOSES) != 0u && link.at != NONE {
            source = stack::link_of_match(t, place);
        }
    }
    let from_earlier_tile = incoming::open_at(tile, source);
    e.link_in_tile = link.at;
    e.slot = from_earlier_tile.slot;
    e.link = existing(select(tile * TILE + link.at, from_earlier_tile.element, link.at == NONE));
    @if(filters) e.tag = tag_of(e);
    let early = load_early(e);
    @if(few_markers) let blocks = gaps::blocks_of(t, tile);
    @if(few_markers) let first = gaps::load_first(t, blocks);
    // Wait until all threads have read the words of the stack and the shared values.
    workgroupBarrier();

    // Down.
    var flow: Flow;
    @if(flows) flow = flow_down(t, e, own, from_earlier_tile, source);
    @else publish_opens(t, e, NONE);
    @if(filters) {
        flow.product = placed(flow.product);
        flow.inherited = placed(flow.inherited);
        e.side = side_of(e, flow);
    }
    write_down(e, flow, early);
    @if(few_markers) write_gaps(t, tile, e, flow, blocks, first);
    beyond::store(tile, t.index);

    // Up.
    @if(grows) grow_up(t, tile, e, flow);
}

// Bounds a link, which is a result of lane operations and becomes an index: an element past the last becomes NONE.
fn existing(link: u32) -> u32 {
    return select(NONE, link, link < elements::element_count());
}

fn element_of(tile: u32, t: Thread) -> Element {
    var e: Element;
    e.index = tile * TILE + t.index;
    e.scene_element = e.index;
    e.exists = e.index < elements::element_count();
    @if(few_markers) {
        if e.exists {
            let post = posts::load(e.index);
            e.scene_element = posts::scene_element(post);
            e.role = posts::role(post);
            e.marker = posts::marker(e.index, post);
        }
    }
    @elif(one_tile || adapter) e.role = elements::role_at(e.index);
    @else {
        // The record, stored by reduce_tiles or reduce_bundles, is a result of lane operations. Past the last element, the
        // role is always 0.
        let record = roles::load(tile * roles::RECORDS + t.index / 32u);
        e.role = select(0u, roles::role_in(record, t.index), e.exists);
        e.marker = roles::rank_in(record, t.index);
    }
    return e;
}

// ---------------------------------------------------------------------------------------------------------------------
// Values flow down
//
//     product = own value; if the link is not in the tile: value of the incoming open, or of the root, times own value
//     pointer jumping, log2(lanes) rounds: product = product of the lane it points to, times its own
//
//         round 0    e and its parent     round 1    with grandparent and great-grandparent     and so on
//
//     each open stores its product in workgroup memory (shared_values)
//     each element continues at the open where its path leaves the chunk: from open to open, each in an earlier chunk
//
// All products and parents of the walk are stored before a barrier, and each step goes to an earlier chunk. Places are
// results of lane operations. The walk steps only to earlier places, so it ends, and every index is inside the tile, even
// if places are wrong. Factors stay in order: the one nearer the root is on the left.

fn flow_down(t: Thread, e: Element, own: Value, from_earlier_tile: Incoming, source: Link) -> Flow {
    var product = own;
    if e.link_in_tile == NONE {
        product = down_combine(from_earlier_tile.value, own);
    }
    // The next lane of the path whose product is still missing. After the path has left the chunk, it is the last lane +
    // HAS_LEFT.
    let parent_lane = e.link_in_tile - t.chunk * t.lanes;
    var next_lane = select(t.lane + HAS_LEFT, parent_lane, parent_lane < t.lanes);
    for (var round = 0u; round < rounds(t); round++) {
        let lane = next_lane % HAS_LEFT;
        let further = value(t, product, lane);
        let after = word(t, next_lane, lane);
        // A path that has left the chunk must not combine the product of its last lane again.
        if DOWN_IS_IDEMPOTENT || next_lane < HAS_LEFT {
            product = down_combine(further, product);
            next_lane = after;
        }
    }
    // The link of the path's last element in the chunk.
    let exit = word(t, e.link_in_tile, next_lane % HAS_LEFT);
    if (e.role & OPENS) != 0u {
        shared::store(t.index, product);
    }
    publish_opens(t, e, exit);
    let rest = product_from(exit, down_identity());
    var flow: Flow;
    flow.product = down_combine(rest, product);
    @if(adapter) flow.inherited = inherited_in_adapter(e, from_earlier_tile, source);
    @elif(grows || few_markers) {
        let from_incoming = incoming_value(e, from_earlier_tile, source);
        flow.inherited = inherited_by(t, e, from_incoming, rest, flow.product);
    }
    return flow;
}

// A flag in `next_lane`, greater than any lane.
const HAS_LEFT = 32u;

// Stores the exit of each open's path, and the place of each node's close for its open. All threads call it, because there
// is a barrier between the two.
fn publish_opens(t: Thread, e: Element, exit: u32) {
    if (e.role & OPENS) != 0u {
        tile_opens::store_open(t.index, exit, e.role);
    }
    workgroupBarrier();
    @if(grows) store_close(e, t.index);
}

// Returns the product of the path in the tile down to an open, times `start`. Returns `start` if `open` is NONE.
fn product_from(open: u32, start: Value) -> Value {
    var product = start;
    var at = open;
    for (var end = TILE; at < end; at = tile_opens::exit_of_open(end)) {
        product = down_combine(shared::load(at), product);
        end = at;
    }
    return product;
}

// Returns the product that the element inherits: its parent's product if the parent is in its chunk; the product of the
// walk if the parent is in an earlier chunk; otherwise the value from an earlier tile.
//
// Lanes have reconverged after the walk in product_from() (lib/chunks.wgsl).
fn inherited_by(t: Thread, e: Element, from_incoming: Value, rest: Value, product: Value) -> Value {
    let parent_lane = e.link_in_tile - t.chunk * t.lanes;
    let of_parent = value(t, product, select(t.lane, parent_lane, parent_lane < t.lanes));
    if parent_lane < t.lanes {
        return of_parent;
    }
    if e.link_in_tile == NONE {
        return from_incoming;
    }
    return rest;
}

fn incoming_value(e: Element, from_earlier_tile: Incoming, source: Link) -> Value {
    let is_needed = e.link_in_tile == NONE && (e.role & NEEDS_INHERITED) != 0u;
    return incoming::value_again(e.index / TILE, from_earlier_tile, source, is_needed);
}

// The roles that need their inherited value: non-local opens; with few markers all opens, for the draws of their gaps.
@if(few_markers) const NEEDS_INHERITED = OPENS;
@else const NEEDS_INHERITED = NON_LOCAL;

fn inherited_in_adapter(e: Element, from_earlier_tile: Incoming, source: Link) -> Value {
    if source.at != NONE {
        return product_from(tile_opens::exit_of_open(source.at), shared::load(source.at));
    }
    if (e.role & CLOSES) != 0u && e.link_in_tile == NONE {
        return from_earlier_tile.inherited;
    }
    return from_earlier_tile.value;
}

// ---------------------------------------------------------------------------------------------------------------------
// Values grow up
//
// Lanes multiply aligned blocks, whose size doubles each round. An open collects the product of the elements after it in
// its block; a close collects the product of the elements before it, and its own leaf. They stop when the next block
// contains both:
//
//     lanes           a  b  | c  d         two blocks of 2, before they become one of 4
//     product         ab ab | cd cd        the product of the block
//     an open has     b  -  | d  -         the elements after it in its block; an open at a collects cd next
//     a close has     a  ab | c  cd        the elements before it, and its own leaf; a close at d collects ab next
//
// The two parts then form the node's product. If no block of the chunk contains both, the product has three parts: the
// elements after the open in its chunk, the chunks between, and the elements before the close in its chunk. If the node
// continues in other tiles, the open has the part up to the end of the tile, and the close the part from the start of the
// tile.

fn grow_up(t: Thread, tile: u32, e: Element, flow: Flow) {
    let chunks = TILE / t.lanes;
    let is_close = (e.role & CLOSES) != 0u;
    let leaf = leaf_of(e, flow);
    // Wait until all threads have read the products of the opens and stored the close of each open.
    workgroupBarrier();
    // The other marker of the node: its place in the tile, or NONE if it is not in the tile.
    var other = NONE;
    if (e.role & OPENS) != 0u {
        other = tile_opens::close_of_open(t.index);
    } else if is_close {
        other = e.link_in_tile;
    }
    write_non_local(e, tile, other, leaf);

    var product = leaf;
    var content = first_factor(e, flow, leaf);
    // The two markers meet in round b, where b is the highest bit in which their places differ. If `other` is NONE,
    // then `apart` is at least TILE.
    let apart = other ^ t.index;
    // Bit r is set if, in round r, the markers have not met and the neighbouring block is on the side that this marker
    // collects: after an open, or before a close.
    let collects = select(~t.lane, t.lane, is_close) & ((1u << firstLeadingBit(apart)) - 1u);
    for (var round = 0u; round < rounds(t); round++) {
        let width = 1u << round;
        let neighbour = value_across(t, product, width);
        if (collects & width) != 0u {
            content = content_beside(content, content_of(neighbour, e.side), is_close);
        }
        product = up_beside(product, neighbour, (t.lane & width) != 0u);
    }
    let others_part = chunks::content(t, content, other % t.lanes);
    if apart < t.lanes {
        content = content_beside(content, others_part, is_close);
    } else if other < TILE && t.lanes > 1u {
        up_shared::part_store(t.index, content);
    }
    if t.lane == t.lanes - 1u {
        up_shared::product_store(t, t.chunk, product);
    }
    workgroupBarrier();

    if e.role != 0u {
        var is_whole = other < TILE;
        if apart >= t.lanes {
            // The chunks between the two markers, or up to the border of the tile.
            var first = t.chunk + 1u;
            var end = select(chunks, other / t.lanes, is_whole);
            if is_close {
                first = select(0u, other / t.lanes + 1u, is_whole);
                end = t.chunk;
            }
            content = content_beside(content, content_of(product_of_chunks(t, first, end), e.side), is_close);
            if is_whole {
                content = content_beside(content, part_of(t, other, e.side, !is_close), is_close);
            }
        }
        // With one tile, an unclosed node extends to the end of the stream.
        @if(one_tile) {
            if !is_close && other >= TILE {
                content = beyond::content_of_unclosed(content);
                is_whole = true;
            }
        }
        // A close without a matching open contains nothing.
        if is_close && e.link == NONE {
            content = content_identity();
            is_whole = true;
        }
        write_up(e, other, content, is_whole);
    }
    @if(!one_tile) {
        if t.index == 0u {
            tile_products::of_tile_store(tile, product_of_chunks(t, 0u, chunks));
        }
    }
    @elif(scene && filters) {
        if t.index == 0u {
            let is_too_deep = product_of_chunks(t, 0u, chunks).word != 0u;
            marker_indices::store_counts(roles::collected_before(roles::RECORDS), is_too_deep);
        }
    }
}

// Stores the place of a close for its matching open: in the tile, or in the open's slot.
fn store_close(e: Element, thread: u32) {
    if (e.role & CLOSES) != 0u {
        if e.link_in_tile != NONE {
            tile_opens::store_close(e.link_in_tile, thread);
        }
        @if(!one_tile) {
            if e.link_in_tile == NONE && e.link != NONE {
                scratch::slot_close_store(e.slot, e.index, e.marker);
            }
        }
    }
}

fn product_of_chunks(t: Thread, first: u32, end: u32) -> Value {
    var product = up_identity();
    for (var chunk = first; chunk < end; chunk++) {
        product = up_combine(product, up_shared::product(t, chunk));
    }
    return product;
}

// Returns the part that a marker has stored. With one lane per chunk, workgroup memory contains the leaf of the marker, so
// the part is computed from it.
fn part_of(t: Thread, marker: u32, side: u32, is_close: bool) -> Content {
    if t.lanes == 1u {
        return part_of_leaf(up_shared::product(t, marker), side, is_close);
    }
    return up_shared::part(marker);
}
