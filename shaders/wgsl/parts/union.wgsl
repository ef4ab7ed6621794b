// The monoid of rectangles under union.

alias Value = vec4<f32>;

const IDENTITY = NOTHING;

fn combine(a: Value, b: Value) -> Value {
    return rect_union(a, b);
}
