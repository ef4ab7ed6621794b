// Computes the region that a filter reads, and the region that it paints. The results equal those of
// Footprint::reverse_bounds and Footprint::forward_bounds of treebounds_core bit for bit.
//
// A footprint consists of four integers of magnitude at most 2^22. Sums of integers up to 2^24 are exact.

import package::constants::MAX;
import package::lib::rect::{EVERYTHING, NOTHING, rect_canonical, rect_intersect};

// 2^23. Coordinates of a larger magnitude are not distinguished.
const FAR = 8388608.0;

// Rounds a non-empty rect outward to integers, and moves each edge by `by`. Left and top edges below -FAR, and right and
// bottom edges above FAR, become unlimited; other edges are clamped to FAR.
//
// floor() and ceil() may return -0, whose bits differ from 0. The conversion to an integer rounds towards zero, so it is off
// by at most one, and never -0.
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

// Returns whether an edge is beyond FAR, but not unlimited.
fn is_far(rect: vec4<f32>) -> bool {
    let size = abs(rect);
    return any((size > vec4<f32>(FAR)) & (size < vec4<f32>(MAX)));
}

// Returns the input region that the output inside `clip` depends on. `clip` is canonical.
fn reverse_bounds(offsets: vec4<f32>, clip: vec4<f32>) -> vec4<f32> {
    return select(NOTHING, rounded_and_moved(clip, -offsets.zwxy), clip.x < clip.z);
}

// Returns the output region that the input inside `content` may change, not clipped yet. `content` is canonical.
fn moved_out(offsets: vec4<f32>, content: vec4<f32>) -> vec4<f32> {
    return select(NOTHING, rounded_and_moved(content, offsets), content.x < content.z);
}

// Returns the output region that the input inside `content` may change, clipped to the clip around the filter. Any
// non-empty content fills a far clip. `content` and `clip` are canonical.
fn forward_bounds(offsets: vec4<f32>, content: vec4<f32>, clip: vec4<f32>) -> vec4<f32> {
    let landed = select(moved_out(offsets, content), EVERYTHING, is_far(clip));
    return select(NOTHING, rect_canonical(rect_intersect(landed, clip)), content.x < content.z);
}
