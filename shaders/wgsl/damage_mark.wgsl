// damage_mark: marks the bins in which two frames differ, and finds the box of the differing pixels in each bin.
//
//     workgroup  WORKGROUP_SIZE consecutive elements
//     thread     one element
//
//     other = partners[element]                  the element of the other frame that looks the same
//     if there is none, or its box differs:
//         for each bin that the element's box touches:
//             bits[bin] = 1
//             rects[bin] = rects[bin] united with the pixels of the element's box in the bin
//
// It runs once for each of the two frames, after damage_clear: a changed element damages its boxes in both frames. Boxes of
// pixels grow by minima and maxima of integers, so the result does not depend on the order of the threads.
//
// In bounds: elements are below the capacity, for which both frames have boxes and partners. A partner is compared with the
// number of elements of the other frame before its box is read. touched_bins() keeps bins inside the grid. The loops are
// bounded by the sides of the grid.
//
// Reads 4 bytes per element, and 32 more per element with a partner. Writes 20 bytes per bin that a changed element's box touches.

import package::lib::bin_grid::{element_count, touched_bins, touched_pixels};
import package::lib::threads::{Local, Workgroup, thread_index, workgroup_index};
import package::layout::{BinPlan, Params};
import package::constants::WORKGROUP_SIZE;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(46) var<uniform> other_params: Params;
@group(0) @binding(19) var<uniform> bin: BinPlan;
// The box of each element.
@group(0) @binding(11) var<storage, read> boxes: array<vec4<f32>>;
@group(0) @binding(47) var<storage, read> other_boxes: array<vec4<f32>>;
// For each element, the element of the other frame that looks the same, or 0xffffffff if there is none.
@group(0) @binding(48) var<storage, read> partners: array<u32>;
// One bit per bin.
@group(0) @binding(49) var<storage, read_write> damage_bits: array<atomic<u32>>;
// The damaged pixels of each bin: x0, y0, x1, y1.
@group(0) @binding(50) var<storage, read_write> damage_rects: array<atomic<u32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let element = workgroup_index(workgroup) * WORKGROUP_SIZE + thread_index(workgroup, local);
    if element >= element_count() || is_the_same(element) {
        return;
    }
    let box = boxes[element];
    let pixels = touched_pixels(box);
    let bins = touched_bins(box);
    for (var row = bins.y; row < bins.w; row++) {
        for (var column = bins.x; column < bins.z; column++) {
            mark(vec2<u32>(column, row), pixels);
        }
    }
}

fn is_the_same(element: u32) -> bool {
    let other = partners[element];
    if other >= min(other_params.elements, bin.element_capacity) {
        return false;
    }
    // Compares bits, so that a NaN is equal to itself.
    return all(bitcast<vec4<u32>>(boxes[element]) == bitcast<vec4<u32>>(other_boxes[other]));
}

// Marks the part of the pixels that is inside a bin.
fn mark(coords: vec2<u32>, pixels: vec4<u32>) {
    let at = coords.y * bin.columns + coords.x;
    let corner = coords * vec2<u32>(bin.bin_x, bin.bin_y);
    let low = max(pixels.xy, corner);
    let high = min(pixels.zw, corner + vec2<u32>(bin.bin_x, bin.bin_y));
    atomicOr(&damage_bits[at / 32u], 1u << (at % 32u));
    atomicMin(&damage_rects[4u * at], low.x);
    atomicMin(&damage_rects[4u * at + 1u], low.y);
    atomicMax(&damage_rects[4u * at + 2u], high.x);
    atomicMax(&damage_rects[4u * at + 3u], high.y);
}
