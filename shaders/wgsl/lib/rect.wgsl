// Rectangles: x0, y0, x1, y1 in pixels, half open. WGSL allows compilers to assume that NaN and infinity do not occur, so
// EVERYTHING and NOTHING use the largest finite number, and callers pass finite rects. The rects of a scene are
// canonical (Rect::canonical): they also contain no -0 and no subnormals, so min and max are exact, and every device
// computes the same bits. The rects of an adapter need only be finite, so signs of zero and subnormals may differ.

import package::constants::MAX;

const EVERYTHING = vec4<f32>(-MAX, -MAX, MAX, MAX);
const NOTHING = vec4<f32>(MAX, MAX, -MAX, -MAX);

// The result is empty if either rect is empty, or if they do not overlap. An empty rect stays empty in further
// intersections.
fn rect_intersect(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(max(a.xy, b.xy), min(a.zw, b.zw));
}

// Turns every empty rect into NOTHING. Required before a rect is stored or united. (Without flows, leaf_of_scene unites the
// scene's rects directly, because they are canonical.)
fn rect_canonical(rect: vec4<f32>) -> vec4<f32> {
    return select(NOTHING, rect, all(rect.xy < rect.zw));
}

fn rect_union(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(min(a.xy, b.xy), max(a.zw, b.zw));
}
