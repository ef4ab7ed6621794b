// Rects come as four integers; the least and the greatest stand for no edge.

alias RectIn = vec4<i32>;

fn rect_of(item: u32) -> vec4<f32> {
    return edges_of(rects[item], -2147483647i - 1i, 2147483647i);
}
