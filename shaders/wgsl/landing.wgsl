// landing: finds the landing of each element, which is the part of the canvas that it can change. It runs after the stage,
// and after the pass that finds the filters around each element (lib/nearest_filters.wgsl).
//
//     thread  every n-th element, where n is the number of threads of the dispatch
//
//     box = the bounds of the element, in the input of the innermost filter around it
//     for each filter around it, from the innermost:
//         box = the forward bounds of the box, clipped to the clip around the filter
//     store the box
//
// A frame may have more elements than the job was recorded for (lib/beyond.wgsl), and so more than the dispatch has threads.
// The landing of the additional elements is the whole viewport, as for elements with more than MOST filters around them.
//
// In bounds: `element` is below the lengths of all arrays that it indexes. A filter is an earlier element than everything
// inside it. The loop checks this, so it ends, and the index is in bounds whatever `inputs` contains. Marker indices are
// compared with the lengths of the arrays.
//
// Reads 32 bytes per element, and 44 more per filter around it. Writes 16 per element.

import package::lib::rect::EVERYTHING;
import package::lib::spread::forward_bounds;
import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::layout::Params;
import package::constants::{NONE, ROLE_BEGIN, ROLE_END, ROLE_MASK, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(4) var<storage, read> tags: array<u32>;
@group(0) @binding(5) var<storage, read> rects: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> markers_before: array<u32>;
@group(0) @binding(8) var<storage, read_write> links: array<u32>;
@group(0) @binding(9) var<storage, read_write> clips: array<vec4<f32>>;
@group(0) @binding(11) var<storage, read_write> boxes: array<vec4<f32>>;
// The two innermost filters around each element.
@group(0) @binding(17) var<storage, read> inputs: array<vec2<u32>>;
@group(0) @binding(51) var<storage, read_write> landings: array<vec4<f32>>;

// The maximum number of filters around an element.
const MOST = 16u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let threads = workgroup.count.x * workgroup.count.y * WORKGROUP_SIZE;
    let thread = workgroup_index(workgroup) * WORKGROUP_SIZE + local.index;
    let end = min(params.elements, min(arrayLength(&landings), arrayLength(&boxes)));
    if thread < end {
        landings[thread] = landing_of(thread);
        for (var element = thread + threads; element < end; element += threads) {
            landings[element] = params.viewport;
        }
    }
}

fn landing_of(element: u32) -> vec4<f32> {
    var box = boxes[element];
    var filter_around = filter_around_node(element);
    var inside = element;
    for (var step = 0u; step < MOST && filter_around < inside; step++) {
        box = forward_bounds(rects[filter_around], box, clip_around(filter_around));
        inside = filter_around;
        filter_around = inputs[filter_around].y;
    }
    return select(box, params.viewport, filter_around < inside);
}

// Returns the innermost filter around the bounds of an element. The bounds of a filter's own markers are outside the filter.
fn filter_around_node(element: u32) -> u32 {
    let filters = inputs[element];
    let role = tags[element] & ROLE_MASK;
    var begin = NONE;
    if role == ROLE_BEGIN {
        begin = element;
    } else if role == ROLE_END {
        begin = link_of(element);
    }
    return select(filters.x, filters.y, begin != NONE && filters.x == begin);
}

// Returns the clip box of the node around a filter; EVERYTHING if its marker is beyond the capacity.
fn clip_around(element: u32) -> vec4<f32> {
    let marker = markers_before[element];
    if marker >= arrayLength(&links) {
        return EVERYTHING;
    }
    let parent = links[marker];
    if parent >= element {
        return params.viewport;
    }
    let around = markers_before[parent];
    if around >= arrayLength(&clips) {
        return EVERYTHING;
    }
    return clips[around];
}

fn link_of(marker: u32) -> u32 {
    let at = markers_before[marker];
    if at >= arrayLength(&links) {
        return NONE;
    }
    return links[at];
}
