// bin_count: counts, for each segment and each child of its cell, the items of the segment that touch the child. This is
// the upsweep of a level.
//
//     workgroup  one segment
//     thread     every WORKGROUP_SIZE-th item of the segment
//
//     first level: range of each item = the bins that its element's box touches; stored
//                  needs[segment] = the number of bins that each of its items touches, summed over the items
//     steps = 0, a grid of numbers
//     for each item, x0, y0, x1, y1 = the children that it touches, half open: x1, y1 are one past the last
//         steps[y0][x0] += 1, steps[y0][x1] -= 1, steps[y1][x0] -= 1, steps[y1][x1] += 1
//     count = prefix sums of steps, along each row and then along each column
//     matrix[segment][child] = count[child]
//
// The prefix sums of the four steps are 1 on the rectangle from (x0, y0) to (x1, y1) and 0 elsewhere. So an item costs
// four additions, regardless of its size.
//
// In bounds: elements are below the capacity, which is the length of boxes and ranges; each segment below
// segment_count() has a row of the matrix (BinLayout); rectangles of children are clamped to the fan, at most BIN_FAN.
//
// The first level reads 16 bytes per element, its box, and writes 8, its range. Deeper levels read 12 bytes per item. Every
// level writes one word per segment and child.

import package::lib::bin_segment::{segment_at, segment_count, item_element, load_range, touched_children};
import package::lib::bin_grid::touched_bins;
import package::lib::bin_level::{BinSegments, BinNext, child_coords, children_per_cell, pack_coords, unpack_coords};
import package::lib::saturating;
import package::lib::threads::{Local, Workgroup, thread_index, workgroup_index};
import package::layout::{BinPlan, Params};
import package::constants::{BIN_FAN, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(19) var<uniform> bin: BinPlan;
// The box of each element.
@group(0) @binding(11) var<storage, read> boxes: array<vec4<f32>>;
// The bins that each element touches: first column and row, last column and row plus one, 16 bits each.
@group(0) @binding(28) var<storage, read_write> bin_ranges: array<vec2<u32>>;
// matrix[segment][child], in the order of segments. The children of a segment are stored row by row.
@group(0) @binding(29) var<storage, read_write> bin_matrix: array<u32>;
// For each segment of the root, the number of entries that its elements need.
@group(0) @binding(30) var<storage, read_write> bin_needs: array<u32>;
// This level's segments. Not read on the first level.
@group(0) @binding(33) var<storage, read> bin_segments: BinSegments;
// The next level's segments.
@group(0) @binding(34) var<storage, read_write> bin_next: BinNext;
// The elements of this level's items. Not read on the first level.
@group(0) @binding(35) var<storage, read_write> bin_items: array<u32>;

// A rectangle may end one past the last child.
const STEPS_SIDE = BIN_FAN + 1u;
const STEPS = STEPS_SIDE * STEPS_SIDE;

var<workgroup> steps: array<atomic<i32>, STEPS>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let group = workgroup_index(workgroup);
    let thread = thread_index(workgroup, local);
    if group == 0u && thread == 0u {
        // bin_scan, if it runs, adds to both counters.
        atomicStore(&bin_next.items, 0u);
        atomicStore(&bin_next.count, 0u);
    }
    if group >= segment_count() {
        return;
    }
    for (var i = thread; i < STEPS; i += WORKGROUP_SIZE) {
        atomicStore(&steps[i], 0);
    }
    workgroupBarrier();

    let segment = segment_at(group);
    let cell_corner = unpack_coords(segment.corner);
    var needed = 0u;
    for (var item = segment.start + thread; item < segment.end; item += WORKGROUP_SIZE) {
        let element = item_element(item);
        var range = vec4<u32>(0u);
        if bin.level == 0u {
            range = touched_bins(boxes[element]);
            bin_ranges[element] = vec2<u32>(pack_coords(range.xy), pack_coords(range.zw));
            needed = saturating::add(needed, (range.z - range.x) * (range.w - range.y));
        } else {
            range = load_range(element);
        }
        step_around(touched_children(range, cell_corner));
    }
    workgroupBarrier();
    sum_steps(thread);

    let children = children_per_cell();
    for (var child = thread; child < children; child += WORKGROUP_SIZE) {
        let coords = child_coords(child);
        let count = atomicLoad(&steps[coords.y * STEPS_SIDE + coords.x]);
        bin_matrix[group * children + child] = u32(count);
    }
    if bin.level == 0u {
        let sum = saturating::workgroup_sum(thread, needed);
        if thread == 0u {
            bin_needs[group] = sum;
        }
    }
}

fn step_around(touched: vec4<u32>) {
    if touched.x == touched.z {
        return;
    }
    atomicAdd(&steps[touched.y * STEPS_SIDE + touched.x], 1);
    atomicAdd(&steps[touched.y * STEPS_SIDE + touched.z], -1);
    atomicAdd(&steps[touched.w * STEPS_SIDE + touched.x], -1);
    atomicAdd(&steps[touched.w * STEPS_SIDE + touched.z], 1);
}

// Replaces the steps by their prefix sums, with one thread per row, then one per column.
fn sum_steps(thread: u32) {
    for (var y = thread; y < bin.fan_y; y += WORKGROUP_SIZE) {
        var sum = 0;
        for (var x = 0u; x < bin.fan_x; x++) {
            sum += atomicLoad(&steps[y * STEPS_SIDE + x]);
            atomicStore(&steps[y * STEPS_SIDE + x], sum);
        }
    }
    workgroupBarrier();
    for (var x = thread; x < bin.fan_x; x += WORKGROUP_SIZE) {
        var sum = 0;
        for (var y = 0u; y < bin.fan_y; y++) {
            sum += atomicLoad(&steps[y * STEPS_SIDE + x]);
            atomicStore(&steps[y * STEPS_SIDE + x], sum);
        }
    }
    workgroupBarrier();
}
