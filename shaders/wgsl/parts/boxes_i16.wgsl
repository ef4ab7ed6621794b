// Boxes go as four integers of 16 bits, two a word, the first the lower, rounded outward;
// the least and the greatest stand for no edge.

alias RectOut = vec2<u32>;

fn packed(box: vec4<f32>) -> RectOut {
    if !(box.x < box.z && box.y < box.w) {
        return vec2<u32>(0x7fff7fffu, 0x80008000u);
    }
    let whole = vec4<u32>(vec4<i32>(outward(box, -32768.0, 32766.0, 32767.0)));
    let half = whole & vec4<u32>(0xffffu);
    return vec2<u32>(half.x | (half.y << 16u), half.z | (half.w << 16u));
}

fn unpacked(box: RectOut) -> vec4<f32> {
    let two = vec2<i32>(box);
    let low = (two << vec2<u32>(16u)) >> vec2<u32>(16u);
    let high = two >> vec2<u32>(16u);
    return edges_of(vec4<i32>(low.x, high.x, low.y, high.y), -32768i, 32767i);
}
