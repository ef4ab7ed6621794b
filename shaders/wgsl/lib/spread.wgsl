// What a filter reads and where it paints: Footprint::reverse_bounds and Footprint::forward_bounds of treebounds_core, with
// the same bits.
//
// A footprint has four whole numbers, at most 2^22 in size. Sums of whole numbers up to 2^24 are exact.

import package::constants::MAX;
import package::lib::rect::{EVERYTHING, NOTHING, rect_canonical, rect_intersect};

// Coordinates further out are not told apart: 2^23.
const FAR = 8388608.0;

// The rect with whole edges around a rect that is not empty, with each edge moved by `by`. An edge further out than FAR moves
// outward: to FAR, or to where there is no limit.
//
// floor() and ceil() may give -0, which has other bits than 0. The conversion to a whole number
// rounds towards zero, so it is at most one off, and never -0.
fn rounded_and_moved(rect: vec4<f32>, by: vec4<f32>) -> vec4<f32> {
    let near = clamp(rect, vec4<f32>(-FAR), vec4<f32>(FAR));
    let cut = vec4<f32>(vec4<i32>(near));
    let low = cut.xy - select(vec2<f32>(0.0), vec2<f32>(1.0), cut.xy > near.xy);
    let high = cut.zw + select(vec2<f32>(0.0), vec2<f32>(1.0), cut.zw < near.zw);
    let is_low = rect.xy < vec2<f32>(-FAR);
    let is_high = rect.zw > vec2<f32>(FAR);
    let is_unlimited = vec4<bool>(is_low, is_high);
    return select(vec4<f32>(low, high) + by, EVERYTHING, is_unlimited);
}

// Whether an edge lies beyond FAR, but is not without limit.
fn is_far(rect: vec4<f32>) -> bool {
    let size = abs(rect);
    return any((size > vec4<f32>(FAR)) & (size < vec4<f32>(MAX)));
}

// The input that the output inside `clip` depends on. `clip` is canonical.
fn reverse_bounds(offsets: vec4<f32>, clip: vec4<f32>) -> vec4<f32> {
    return select(NOTHING, rounded_and_moved(clip, -offsets.zwxy), clip.x < clip.z);
}

// The output that the input inside `content` may change, not cut yet. `content` is canonical.
fn moved_out(offsets: vec4<f32>, content: vec4<f32>) -> vec4<f32> {
    return select(NOTHING, rounded_and_moved(content, offsets), content.x < content.z);
}

// The same inside the clip around the filter, which is filled if it is far. Both are canonical.
fn forward_bounds(offsets: vec4<f32>, content: vec4<f32>, clip: vec4<f32>) -> vec4<f32> {
    let landed = select(moved_out(offsets, content), EVERYTHING, is_far(clip));
    return select(NOTHING, rect_canonical(rect_intersect(landed, clip)), content.x < content.z);
}
