// Rectangles: (x0, y0, x1, y1), half open. Only min and max, which are exact.

// What the scratch buffer of products holds.
alias Product = vec4<f32>;

const EVERYTHING = vec4<f32>(-MAX, -MAX, MAX, MAX);
const NOTHING = vec4<f32>(MAX, MAX, -MAX, -MAX);

// Empty where either is, or they are apart; what is empty stays so whatever it meets.
fn rect_intersect(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(max(a.xy, b.xy), min(a.zw, b.zw));
}

// Every empty rect is NOTHING: before it is written, or united.
fn rect_canonical(rect: vec4<f32>) -> vec4<f32> {
    return select(NOTHING, rect, all(rect.xy < rect.zw));
}

fn rect_union(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(min(a.xy, b.xy), max(a.zw, b.zw));
}
