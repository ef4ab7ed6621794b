// The values of a scene in which no element has more than one filter around it: a rect on each side of that filter.
//
// *Down.* A product along a path from the root:
//
//     path        clip  clip  | filter |  clip
//     outside     the clips before the filter, or all of them
//     inside                              the clips after it
//     spread                    its kernel
//
// What the clips before a filter leave is not known until the path reaches the root. So a product keeps the two sides apart,
// and placed() joins them at the end: visible box = what the filter reads to show `outside`, cut by `inside`.
//
// *Up.* The content of a range of elements, as the levels on each side of a filter see it:
//
//     outside     where the draws land on the canvas side: draws without a filter, and draws inside one as it paints them
//     inside      the draws inside a filter, unmoved
//
// That is enough, because tracing commutes with union: the trace of a union is the union of the traces. Edges round outward
// one by one, and each draw's trace meets the clip around the filter (lib/spread.wgsl), so cutting by it commutes, too.
//
// The same struct serves both directions. On the way up, `spread.x` is 1 if a path has two filters, else 0.

import package::constants::MAX;
import package::lib::rect::{EVERYTHING, NOTHING, rect_canonical, rect_intersect, rect_union};
import package::lib::spread::{is_far, need, trace};

struct Filtered {
    outside: vec4<f32>,
    inside: vec4<f32>,
    spread: vec4<f32>,
}

// The sides of a kernel are at most 2^22 in size. A larger first side says that there is no filter. A second filter adds 3 *
// 2^22 to the third side, which keeps the first kernel: the sum is from 2^23 to 2^24, and exact.
const KERNEL_MAX = 4194304.0;
const NO_FILTER = vec4<f32>(MAX, 0.0, 0.0, 0.0);
const SECOND_FILTER = vec4<f32>(0.0, 0.0, 12582912.0, 0.0);

const DOWN_IDENTITY = Filtered(EVERYTHING, EVERYTHING, NO_FILTER);
const UP_IDENTITY = Filtered(NOTHING, NOTHING, vec4<f32>(0.0));

fn of_clip(rect: vec4<f32>) -> Filtered {
    return Filtered(rect, EVERYTHING, NO_FILTER);
}

fn of_filter(offsets: vec4<f32>) -> Filtered {
    return Filtered(EVERYTHING, EVERYTHING, offsets);
}

fn has_filter(spread: vec4<f32>) -> bool {
    return spread.x <= KERNEL_MAX;
}

fn has_two_filters(spread: vec4<f32>) -> bool {
    return has_filter(spread) && spread.z > KERNEL_MAX;
}

// A path and what follows it. Nothing counts after a second filter.
fn join(path: Filtered, then: Filtered) -> Filtered {
    if has_filter(path.spread) {
        if has_two_filters(path.spread) {
            return path;
        }
        let spread = select(path.spread, path.spread + SECOND_FILTER, has_filter(then.spread));
        return Filtered(path.outside, rect_intersect(path.inside, then.outside), spread);
    }
    return Filtered(rect_intersect(path.outside, then.outside), then.inside, then.spread);
}

// A whole path with `inside` replaced by the visible box at its end. Both rects become canonical.
fn placed(path: Filtered) -> Filtered {
    let clip = rect_canonical(path.outside);
    if !has_filter(path.spread) {
        return Filtered(clip, clip, path.spread);
    }
    let offsets = path.spread - select(vec4<f32>(0.0), SECOND_FILTER, has_two_filters(path.spread));
    let read = rect_intersect(need(offsets, clip), path.inside);
    return Filtered(clip, rect_canonical(read), path.spread);
}

// The visible box of a placed path; EVERYTHING where two filters are around it.
fn box_of(place: Filtered) -> vec4<f32> {
    return select(place.inside, EVERYTHING, has_two_filters(place.spread));
}

// What is painted in the whole visible box of a placed path, on each side of its filter.
fn painted(place: Filtered) -> Filtered {
    if !has_filter(place.spread) {
        return Filtered(place.inside, NOTHING, vec4<f32>(0.0));
    }
    let has_two = has_two_filters(place.spread);
    let offsets = place.spread - select(vec4<f32>(0.0), SECOND_FILTER, has_two);
    let landed = trace(offsets, place.inside, place.outside);
    return Filtered(landed, place.inside, vec4<f32>(f32(has_two), 0.0, 0.0, 0.0));
}

fn unite(earlier: Filtered, later: Filtered) -> Filtered {
    return Filtered(
        rect_union(earlier.outside, later.outside),
        rect_union(earlier.inside, later.inside),
        max(earlier.spread, later.spread),
    );
}

// The side of a node says which rect of its product is its content. A product that waits for its other parts has it in
// `spread.z`, which is 0 elsewhere, so that union keeps it.
const OUTSIDE = 0.0;
const INSIDE = 1.0;
const UNLIMITED = 2.0;

fn on_side(product: Filtered, side: f32) -> Filtered {
    return Filtered(product.outside, product.inside, vec4<f32>(product.spread.x, 0.0, side, 0.0));
}

fn content_of(product: Filtered) -> vec4<f32> {
    let rect = select(product.outside, product.inside, product.spread.z == INSIDE);
    return select(rect, EVERYTHING, product.spread.z == UNLIMITED);
}
