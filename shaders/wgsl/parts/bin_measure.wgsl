// The bins that a box touches: columns and rows, half open; all 0 for none. Whatever a NaN becomes
// as an integer, and a number past all integers, the range is inside of the grid.
fn measure(rect: vec4<f32>) -> vec4<u32> {
    let origin = vec2<i32>(bin.origin_x, bin.origin_y);
    let end = origin + vec2<i32>(vec2<u32>(bin.width, bin.height));
    let low = vec2<i32>(floor(rect.xy));
    let high = vec2<i32>(ceil(rect.zw));
    let first = vec2<u32>(clamp(low, origin, end) - origin);
    let beyond = vec2<u32>(clamp(high, origin, end) - origin);
    if !all(rect.xy < rect.zw) || any(first >= beyond) {
        return vec4<u32>(0u);
    }
    return bins_before(vec4<u32>(first, beyond - 1u)) + vec4<u32>(0u, 0u, 1u, 1u);
}

// How many bins end at a pixel or before it. A division is some thirty instructions, and sides are
// mostly powers of two.
fn bins_before(pixels: vec4<u32>) -> vec4<u32> {
    let side = vec2<u32>(bin.bin_x, bin.bin_y);
    if all(countOneBits(side) == vec2<u32>(1u)) {
        return pixels >> firstTrailingBit(side).xyxy;
    }
    return pixels / side.xyxy;
}
