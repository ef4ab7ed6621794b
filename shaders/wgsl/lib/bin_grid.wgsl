// The grid of bins, the number of elements, and the bins that a box touches.

import package::kernel::{bin, params};

fn element_count() -> u32 {
    return min(params.elements, bin.element_capacity);
}

// Returns the pixels of the viewport that a box touches, relative to the viewport's corner: first column and row, last
// column and row plus one. All 0 if it touches none.
//
// Clamping keeps every edge inside the grid, even if a NaN or a huge number is converted to an arbitrary integer.
fn touched_pixels(box: vec4<f32>) -> vec4<u32> {
    let origin = vec2<i32>(bin.origin_x, bin.origin_y);
    let end = origin + vec2<i32>(vec2<u32>(bin.width, bin.height));
    let low = vec2<i32>(floor(box.xy));
    let high = vec2<i32>(ceil(box.zw));
    let first = vec2<u32>(clamp(low, origin, end) - origin);
    let beyond = vec2<u32>(clamp(high, origin, end) - origin);
    if !all(box.xy < box.zw) || any(first >= beyond) {
        return vec4<u32>(0u);
    }
    return vec4<u32>(first, beyond);
}

// Returns the bins that a box touches, in the same form as touched_pixels().
fn touched_bins(box: vec4<f32>) -> vec4<u32> {
    let pixels = touched_pixels(box);
    if pixels.z == 0u {
        return pixels;
    }
    return bins_of_pixels(pixels - vec4<u32>(0u, 0u, 1u, 1u)) + vec4<u32>(0u, 0u, 1u, 1u);
}

// Returns the columns and rows of two pixels. A division takes about thirty instructions, and the sides of bins are usually
// powers of two.
fn bins_of_pixels(pixels: vec4<u32>) -> vec4<u32> {
    let side = vec2<u32>(bin.bin_x, bin.bin_y);
    if all(countOneBits(side) == vec2<u32>(1u)) {
        return pixels >> firstTrailingBit(side).xyxy;
    }
    return pixels / side.xyxy;
}
