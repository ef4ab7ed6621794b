// The answers of resolve, written by the thread of each element. Where they go depends on the stream:
//
// | condition | what                             | before values grow                       | after values grow               |
// |-----------|----------------------------------|------------------------------------------|---------------------------------|
// | scene     | nodes by number, draws by place  | a node's link and clip, a draw's bounds  | a node's content and bounds     |
// | entries   | the same; draws: lib/gaps.wgsl   | a node's link and clip                   | a node's content and bounds     |
// | in_place  | every element by place           | link and clip, a draw's content          | content                         |
// | monoid    | every element by place           | the product down, or a leaf's own        | the product up, or a part of it |
// | host      | the caller's WGSL says where     | clip, and what flows to the element      |                                 |
//
// Where nothing grows, the bounds of a node are its clip, and are written with it.
//
// A node that goes on in other tiles is left in parts, for span: its begin and its end each write what is inside it in
// their own tiles. Past the capacity of nodes no link, clip or content is written; entries have no such nodes
// (compact_markers.wgsl).

import package::kernel::{Element, Flow, bounds, clips, contents, inputs, links, outputs, plan, rects, values};
import package::constants::{NONE, TILE};
import package::lib::roles::{CLOSES, NON_LOCAL};
@if(grows) import package::lib::tile_opens::role_of_open;
import package::lib::value::Value;
@if(!monoid) import package::lib::rect::{NOTHING, rect_canonical};
@if(few_markers) import package::lib::posts;
@if(monoid && flows) import package::monoid::product_store;
@if(monoid && grows) import package::monoid::{product_load, product_store};
@if(host) import package::host::{HostTop, host_emit, host_top};

// The clip of a node or the visible box of a draw. An end without a begin has none.
@if(flows && !monoid)
fn clip_of(e: Element, flow: Flow) -> vec4<f32> {
    let is_lost = (e.role & CLOSES) != 0u && e.top_element == NONE;
    return select(rect_canonical(flow.own), NOTHING, is_lost);
}

// ---------------------------------------------------------------------------------------------------------------------
// Before values grow

@if(scene)
fn write_down(e: Element, flow: Flow) {
    if !e.exists {
        return;
    }
    @if(flows) {
        let clip = clip_of(e, flow);
        @if(grows) {
            if e.role == 0u {
                bounds[e.index] = clip;
            }
        }
        @else bounds[e.index] = clip;
        if e.role != 0u && e.marker < plan.marker_capacity {
            links[e.marker] = e.top_element;
            clips[e.marker] = clip;
        }
    }
    @else {
        if e.role == 0u {
            bounds[e.index] = rects[e.index];
        } else if e.marker < plan.marker_capacity {
            links[e.marker] = e.top_element;
        }
    }
}

// The link of an entry: the scene's element that the top is. A load that nothing waits for yet.
@if(few_markers)
fn post_link(top: u32) -> u32 {
    if top == NONE {
        return NONE;
    }
    return posts::element(posts::load(top));
}

@if(few_markers)
fn write_down(e: Element, flow: Flow, link: u32) {
    if e.role != 0u {
        links[e.marker] = link;
        @if(flows) clips[e.marker] = clip_of(e, flow);
    }
}

// Where nothing grows, the bounds of a node are its clip. The row that its element is in has been stored before.
@if(few_markers && !grows)
fn write_clip(e: Element, flow: Flow) {
    if e.role != 0u {
        bounds[e.post] = clip_of(e, flow);
    }
}

@if(in_place)
fn write_down(e: Element, flow: Flow) {
    if !e.exists {
        return;
    }
    links[e.index] = e.top_element;
    @if(flows) clips[e.index] = clip_of(e, flow);
    @if(grows) {
        if e.role == 0u {
            @if(flows) contents[e.index] = clip_of(e, flow);
            @else contents[e.index] = rects[e.index];
        }
    }
}

@if(monoid)
fn write_down(e: Element, flow: Flow) {
    if !e.exists {
        return;
    }
    @if(flows) outputs[e.index] = product_store(flow.own);
    @if(grows) {
        if e.role == 0u {
            outputs[e.index] = product_store(product_load(inputs[e.index]));
        }
    }
}

// What the host's WGSL loads of the element and its top. Loads that nothing waits for yet.
@if(host)
fn load_host(e: Element) -> HostTop {
    var known: HostTop;
    if e.exists {
        known = host_top(e.index, e.role, e.top_element);
    }
    return known;
}

@if(host)
fn write_host(e: Element, flow: Flow, known: HostTop) {
    if e.exists {
        host_emit(e.index, e.role, e.top_element, clip_of(e, flow), rect_canonical(flow.around), known);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// After values grow

// The content of a node, or as much of it as is in the tile. `other` is the place of the node's other end in the tile, or
// TILE or more.
@if(grows)
fn write_up(e: Element, other: u32, content: Value, is_whole: bool) {
    @if(scene) {
        if e.marker < plan.marker_capacity {
            contents[e.marker] = content;
        }
    }
    @if(few_markers) contents[e.marker] = content;
    @if(in_place) contents[e.index] = content;
    @if(scene || few_markers) {
        var role = e.role;
        if (role & CLOSES) != 0u && other < TILE {
            role = role_of_open(other);
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
@if(grows && (scene || few_markers))
fn write_non_local(e: Element, tile: u32, other: u32, around: Value) {
    if (e.role & NON_LOCAL) != 0u {
        bounds[scene_element(e)] = around;
        if other < TILE {
            @if(few_markers) bounds[posts::element(posts::load(tile * TILE + other))] = around;
            @else bounds[tile * TILE + other] = around;
        }
    }
}

@if(scene)
fn scene_element(e: Element) -> u32 {
    return e.index;
}

@if(few_markers)
fn scene_element(e: Element) -> u32 {
    return e.post;
}
