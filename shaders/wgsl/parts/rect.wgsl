// Rectangles: (x0, y0, x1, y1), half open. Only min and max, which are exact.

// What the scratch buffer of products holds.
alias Product = vec4<f32>;

const EVERYTHING = vec4<f32>(-MAX, -MAX, MAX, MAX);
const NOTHING = vec4<f32>(MAX, MAX, -MAX, -MAX);

fn rect_intersect(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    let low = max(a.xy, b.xy);
    let high = min(a.zw, b.zw);
    return select(NOTHING, vec4<f32>(low, high), all(low < high));
}

fn rect_union(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(min(a.xy, b.xy), max(a.zw, b.zw));
}
