// Rects come as four integers of 16 bits, two a word, the first the lower; the least and
// the greatest stand for no edge.

alias RectIn = vec2<u32>;

fn rect_of(item: u32) -> vec4<f32> {
    let two = vec2<i32>(rects[item]);
    let low = (two << vec2<u32>(16u)) >> vec2<u32>(16u);
    let high = two >> vec2<u32>(16u);
    return edges_of(vec4<i32>(low.x, high.x, low.y, high.y), -32768i, 32767i);
}
