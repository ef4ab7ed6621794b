// The bins that a box touches. Coordinates are cut before they become integers, and
// once more after: whatever a NaN makes of them, the range is inside of the grid.
// A viewport ends within 2^25 of the origin, and 2^30 is far outside of all.
fn measure(rect: vec4<f32>) -> vec4<u32> {
    let far = vec2<f32>(1073741824.0);
    let origin = vec2<i32>(bin.origin_x, bin.origin_y);
    let end = origin + vec2<i32>(vec2<u32>(bin.width, bin.height));
    let low = vec2<i32>(clamp(floor(rect.xy), -far, far));
    let high = vec2<i32>(clamp(ceil(rect.zw), -far, far));
    let first = vec2<u32>(clamp(low, origin, end) - origin);
    let beyond = vec2<u32>(clamp(high, origin, end) - origin);
    if !all(rect.xy < rect.zw) || any(first >= beyond) {
        return vec4<u32>(0u);
    }
    return vec4<u32>(bins_before(first), bins_before(beyond - 1u) + 1u);
}

// How many bins end at a pixel or before it. A division is some thirty instructions, and sides are
// mostly powers of two.
fn bins_before(pixel: vec2<u32>) -> vec2<u32> {
    let side = vec2<u32>(bin.bin_x, bin.bin_y);
    if all(countOneBits(side) == vec2<u32>(1u)) {
        return pixel >> firstTrailingBit(side);
    }
    return pixel / side;
}
