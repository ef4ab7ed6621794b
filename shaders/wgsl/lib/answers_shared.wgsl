// Answers are the results that resolve and span store, which depend on the kind of stream. Each kind has a file with
// declarations with the same names, and `package::answers` is the file of the kernel's kind. The files import shared
// declarations from this one.
//
// | file             | stored by   | write_down                                | write_up                  |
// |------------------|-------------|-------------------------------------------|---------------------------|
// | answers_scene    | marker      | a marker's link and clip, a draw's bounds | content and bounds        |
// | answers_few      | marker      | a marker's link and clip                  | content and bounds        |
// | answers_in_place | element     | link and clip, a draw's content           | content                   |
// | answers_filtered | as answers_scene, answers_few or answers_in_place, from values with a rect on each side of a filter |
// | answers_monoid   | element     | the product down, or a draw's own value   | the product up, or a part |
// | answers_adapter  | the caller  | the clip, and the inherited clip          |                           |
//
// Bounds are always stored by element.
//
// For resolve, called by the thread of each element:
//
//     load_early       loads the inputs of write_down, before the values flow
//     write_down       stores the results that are known after values have flowed down
//     leaf_of          returns the element's contribution to the products of the nodes that contain it
//     first_factor     returns the first factor that a marker collects
//     write_non_local  stores the bounds of a non-local node, which do not depend on its content
//     write_up         stores the product of a node, or the part of it that is inside the tile
//
// For span, which joins the parts of a node that continues in other tiles:
//
//     with_parts       loads the parts
//     write_open, write_close   store the product for each marker of the node
//
// If no values grow, the bounds of a node are its clip, and write_down stores them. Beyond the capacity of markers, links,
// clips and contents are not stored. With few markers, no marker is beyond the capacity (compact_markers.wgsl).

import package::kernel::{Element, Flow, Survivor, boxes, contents, params, plan, rects};
import package::constants::NONE;
import package::answers::scene_element;
import package::lib::roles::{CLOSES, NON_LOCAL};
import package::lib::rect::{EVERYTHING, NOTHING, rect_canonical, rect_union};
import package::value::{Content, Value, has_two_filters, up_first};

// By default, nothing is loaded early.
alias Early = u32;

fn load_early(e: Element) -> Early {
    return 0u;
}

// Returns the clip of a marker, or the visible box of a draw: NOTHING for an unmatched close, EVERYTHING for an element with
// two filters around it.
fn clip_of(e: Element, flow: Flow) -> vec4<f32> {
    let has_no_open = (e.role & CLOSES) != 0u && e.link == NONE;
    @if(filters) {
        if has_two_filters(flow.product.word) {
            return EVERYTHING;
        }
    }
    @if(filters) let clip = flow.product.inside;
    @else let clip = rect_canonical(flow.product);
    return select(clip, NOTHING, has_no_open);
}

// Returns the leaf of an element: for a draw, its visible box; for a non-local open, the clip that it inherits.
fn leaf_of_scene(e: Element, flow: Flow) -> vec4<f32> {
    var leaf = NOTHING;
    @if(flows) leaf = select(NOTHING, rect_canonical(flow.product), e.role == 0u);
    @else {
        if e.role == 0u {
            leaf = rects[e.index];
        }
    }
    return with_inherited(e, flow, leaf);
}

// Replaces the leaf of a non-local open by the clip that it inherits. The element must exist.
fn with_inherited(e: Element, flow: Flow, leaf: vec4<f32>) -> vec4<f32> {
    if (e.role & NON_LOCAL) == 0u {
        return leaf;
    }
    @if(flows) return rect_canonical(flow.inherited);
    @else return rect_union(leaf, params.viewport);
}

fn first_factor(e: Element, flow: Flow, leaf: Value) -> Content {
    return up_first(leaf, (e.role & CLOSES) != 0u);
}

// ---------------------------------------------------------------------------------------------------------------------
// Scenes, including those with few markers: contents are stored by marker, and bounds by element

fn write_open(survivor: Survivor, content: vec4<f32>) {
    write_marker(survivor.open, survivor.open_marker, survivor.is_local, content);
}

fn write_close(survivor: Survivor, content: vec4<f32>) {
    write_marker(survivor.close, survivor.close_marker, survivor.is_local, content);
    // If the node is non-local, resolve has already stored the bounds of the open.
    if !survivor.is_local {
        boxes[scene_element(survivor.close)] = boxes[scene_element(survivor.open)];
    }
}

fn write_marker(element: u32, marker: u32, is_local: bool, content: vec4<f32>) {
    if marker < plan.marker_capacity {
        contents[marker] = content;
    }
    if is_local {
        boxes[scene_element(element)] = content;
    }
}
