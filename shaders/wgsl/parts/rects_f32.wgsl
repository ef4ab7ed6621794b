// Rects come as four floats.

alias RectIn = vec4<f32>;

fn rect_of(item: u32) -> vec4<f32> {
    return rects[item];
}
