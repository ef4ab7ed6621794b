// The values of a scene with at most one filter around each element: a rect on each side of that filter. See
// lib/value_rect.wgsl.
//
// *Down.* A product along a path from the root:
//
//     path        clip  clip  | filter |  clip
//     outside     the clips outside the filter, or all clips without one
//     inside                              the clips inside it
//     word                      its Begin
//
// The clips outside a filter are not all known until the path reaches the root. So a product keeps the two sides separate,
// and placed() joins them at the end: visible box = the reverse bounds of `outside`, clipped to `inside`. placed() also loads
// the footprint of the filter, so a value contains only a word that identifies the filter.
//
// *Up.* The content of a range of elements, in the coordinates on each side of a filter:
//
//     outside     draws without a filter, and the forward bounds of draws inside one
//     inside      draws inside a filter
//
// This suffices because forward bounds commute with union. Each edge is rounded outward separately, and the forward bounds
// of each draw overlap the clip around the filter (lib/spread.wgsl), so clipping commutes too.
//
// The same struct is used in both directions. On the way up, the word is SECOND if a path has two filters, otherwise 0.

import package::kernel::rects;
import package::lib::elements::scene_count;
import package::lib::rect::{EVERYTHING, NOTHING, rect_canonical, rect_intersect, rect_union};
import package::lib::spread::{forward_bounds, reverse_bounds};

struct Filtered {
    outside: vec4<f32>,
    inside: vec4<f32>,
    // Down: 0 without a filter, otherwise 1 + the element of its Begin, which is less than 2^31 - 1. The bit SECOND is set if
    // another filter follows.
    word: u32,
}

const SECOND = 0x80000000u;

alias Value = Filtered;

// The rect of a product that the node needs.
alias Content = vec4<f32>;

const DOWN_IS_IDEMPOTENT = false;

fn down_identity() -> Value {
    return Filtered(EVERYTHING, EVERYTHING, 0u);
}

fn up_identity() -> Value {
    return Filtered(NOTHING, NOTHING, 0u);
}

fn of_clip(rect: vec4<f32>) -> Filtered {
    return Filtered(rect, EVERYTHING, 0u);
}

fn of_filter(element: u32) -> Filtered {
    return Filtered(EVERYTHING, EVERYTHING, element + 1u);
}

fn has_two_filters(word: u32) -> bool {
    return word >= SECOND;
}

// Returns the product of a path and its continuation. Factors after a second filter are ignored.
fn down_combine(inherited: Value, own: Value) -> Value {
    if inherited.word == 0u {
        return Filtered(rect_intersect(inherited.outside, own.outside), own.inside, own.word);
    }
    if has_two_filters(inherited.word) {
        return inherited;
    }
    let word = inherited.word | select(0u, SECOND, own.word != 0u);
    return Filtered(inherited.outside, rect_intersect(inherited.inside, own.outside), word);
}

// Loads the footprint of the filter that `word` identifies. The word must contain a filter. It is a result of lane
// operations, so the element is bounded. There is at least one element, because the thread has one.
fn footprint_of(word: u32) -> vec4<f32> {
    return rects[min((word & ~SECOND) - 1u, max(scene_count(), 1u) - 1u)];
}

// Returns a whole path, with `inside` replaced by the visible box at its end. Both rects become canonical.
fn placed(path: Filtered) -> Filtered {
    let clip = rect_canonical(path.outside);
    if path.word == 0u {
        return Filtered(clip, clip, 0u);
    }
    let read = rect_intersect(reverse_bounds(footprint_of(path.word), clip), path.inside);
    return Filtered(clip, rect_canonical(read), path.word);
}

// Returns the visible box of a draw at the end of a placed path; EVERYTHING with two filters around it.
fn visible(place: Filtered, rect: vec4<f32>) -> vec4<f32> {
    let box = rect_canonical(rect_intersect(place.inside, rect));
    return select(box, EVERYTHING, has_two_filters(place.word));
}

// Returns the paint of draws at the end of a placed path, on each side of its filter. `boxes` is the union of their visible boxes.
fn landed(place: Filtered, boxes: vec4<f32>) -> Filtered {
    if place.word == 0u {
        return Filtered(boxes, NOTHING, 0u);
    }
    let outside = forward_bounds(footprint_of(place.word), boxes, place.outside);
    return Filtered(outside, boxes, place.word & SECOND);
}

// Returns the paint of a draw that fills the visible box of a placed path.
fn painted(place: Filtered) -> Filtered {
    return landed(place, place.inside);
}

fn up_combine(earlier: Value, later: Value) -> Value {
    return Filtered(
        rect_union(earlier.outside, later.outside),
        rect_union(earlier.inside, later.inside),
        earlier.word | later.word,
    );
}

fn up_beside(own: Value, others: Value, others_first: bool) -> Value {
    return up_combine(own, others);
}

fn content_beside(own: Content, others: Content, others_first: bool) -> Content {
    return rect_union(own, others);
}

fn content_identity() -> Content {
    return NOTHING;
}

// The sides of a filter. The side of a node determines which rect of its product is its content.
const OUTSIDE = 0u;
const INSIDE = 1u;
const UNLIMITED = 2u;

fn content_of(product: Value, side: u32) -> Content {
    let rect = select(product.outside, product.inside, (side & INSIDE) != 0u);
    return select(rect, EVERYTHING, (side & UNLIMITED) != 0u);
}

fn carrier_of(content: Content) -> Value {
    return Filtered(content, NOTHING, 0u);
}

fn carried_by(value: Value) -> Content {
    return value.outside;
}

// Both markers of a node already include the fill, so only the leaf of a close is added.
fn part_of_leaf(leaf: Value, side: u32, is_close: bool) -> Content {
    return select(NOTHING, content_of(leaf, side), is_close);
}
