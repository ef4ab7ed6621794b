// Boxes go as four integers, rounded outward; the least and the greatest stand for no edge.

alias RectOut = vec4<i32>;

// The greatest float below 2^31.
const BELOW = 2147483520.0;

fn packed(box: vec4<f32>) -> RectOut {
    let least = -2147483647i - 1i;
    if !(box.x < box.z && box.y < box.w) {
        return vec4<i32>(2147483647i, 2147483647i, least, least);
    }
    let whole = outward(box, -2147483648.0, BELOW, 2147483648.0);
    // No conversion of what does not fit.
    let high = vec2<i32>(min(whole.zw, vec2<f32>(BELOW)));
    return vec4<i32>(
        vec2<i32>(whole.xy),
        select(high, vec2<i32>(2147483647i), whole.zw > vec2<f32>(BELOW)),
    );
}

fn unpacked(box: RectOut) -> vec4<f32> {
    return edges_of(box, -2147483647i - 1i, 2147483647i);
}
