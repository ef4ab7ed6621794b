// What resolve stores depends on the kind of stream. Each kind has a file with the same functions; the thread of each
// element calls them.
//
// | condition   | file             | stored by   | write_down                                | write_up                  |
// |-------------|------------------|-------------|-------------------------------------------|---------------------------|
// | scene       | answers_scene    | marker      | a marker's link and clip, a draw's bounds | content and bounds        |
// | few_markers | answers_few      | marker      | a marker's link and clip                  | content and bounds        |
// | in_place    | answers_in_place | element     | link and clip, a draw's content           | content                   |
// | filters     | answers_filtered | like scene or in_place: the same, with rects on both sides of a filter, or a part     |
// | monoid      | answers_monoid   | element     | the product down, or a draw's own value   | the product up, or a part |
// | host        | answers_host     | the caller  | the clip, and what is inherited           |                           |
//
// Bounds are always stored by element.
//
//     load_early       loads what write_down needs, before the values flow
//     write_down       stores what is known once values have flowed down
//     leaf_of          what an element adds to the products of the nodes that contain it
//     write_non_local  stores the bounds of a non-local node, which do not depend on its content
//     write_up         stores the product of a node, or the part of it that is inside the tile; span joins the parts
//
// If nothing grows, the bounds of a node are its clip, and write_down stores them. Beyond the capacity of markers no
// link, clip or content is stored. With few markers there are none beyond it (compact_markers.wgsl).
//
// This file has what several kinds share.

import package::kernel::{Element, Flow, params, rects};
import package::constants::NONE;
import package::lib::roles::{CLOSES, NON_LOCAL};
import package::lib::rect::{EVERYTHING, NOTHING, rect_canonical, rect_union};
@if(filters) import package::lib::filtered::has_two_filters;

// The clip of a marker, or the visible box of a draw. A close without a matching open has none. With two filters around it,
// an element has no limit.
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

// The leaf of a draw is its visible box. A non-local open adds everything that it inherits.
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

// The leaf of an element that exists, with everything that a non-local open inherits.
fn with_inherited(e: Element, flow: Flow, leaf: vec4<f32>) -> vec4<f32> {
    if (e.role & NON_LOCAL) == 0u {
        return leaf;
    }
    @if(flows) return rect_canonical(flow.inherited);
    @else return rect_union(leaf, params.viewport);
}
