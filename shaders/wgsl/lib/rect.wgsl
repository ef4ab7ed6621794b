// Rectangles: x0, y0, x1, y1 in pixels, half open. Only min and max are used, which are exact, so that every device
// gives the same bits. Infinities do not occur: WGSL lets a compiler assume so.

import package::constants::MAX;

const EVERYTHING = vec4<f32>(-MAX, -MAX, MAX, MAX);
const NOTHING = vec4<f32>(MAX, MAX, -MAX, -MAX);

// Empty where either is, or where they are apart. An empty rect stays empty whatever it meets.
fn rect_intersect(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(max(a.xy, b.xy), min(a.zw, b.zw));
}

// Every empty rect becomes NOTHING: before it is written, or united. The rects of a stream are so from the start.
fn rect_canonical(rect: vec4<f32>) -> vec4<f32> {
    return select(NOTHING, rect, all(rect.xy < rect.zw));
}

fn rect_union(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(min(a.xy, b.xy), max(a.zw, b.zw));
}
