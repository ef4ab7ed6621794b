// clip_bounds: stores the clip of each marker as its bounds. It runs after the stage if only the clips of a scene with
// filters are requested. (The stage then computes contents too.)
//
//     thread  one marker
//
//     boxes[element of the marker] = clips[marker]
//
// In bounds: the count of markers is at most the capacity. With few markers, marker_elements contains results of lane
// operations, so the element is compared with the count of elements.
//
// Reads 20 bytes per marker and writes 16.

import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::layout::Counts;
import package::constants::WORKGROUP_SIZE;

@group(0) @binding(3) var<storage, read_write> counts: Counts;
@group(0) @binding(7) var<storage, read_write> marker_elements: array<u32>;
@group(0) @binding(9) var<storage, read_write> clips: array<vec4<f32>>;
@group(0) @binding(11) var<storage, read_write> boxes: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let marker = workgroup_index(workgroup) * WORKGROUP_SIZE + local.index;
    if marker >= counts.markers {
        return;
    }
    let element = marker_elements[marker];
    if element < counts.elements {
        boxes[element] = clips[marker];
    }
}
