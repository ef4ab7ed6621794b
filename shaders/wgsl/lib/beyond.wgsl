// A frame with more elements than its job was recorded for. The kernels compute the elements up to the capacity of the
// plan, as if the stream ended there. Boxes that a later element could change are *unlimited*, so that they are too
// large rather than too small:
//
//     elements past the capacity            their boxes
//     nodes that do not close before it     their contents
//
// A clip box depends on earlier elements alone, so the clip boxes up to the capacity are right.

import package::kernel::{params, plan};
@if(few_markers) import package::kernel::frame_counts;
@if(scene || few_markers) import package::kernel::boxes;
@if(in_place && flows) import package::kernel::clips;
@if(in_place && grows) import package::kernel::contents;
import package::constants::{STATUS_ELEMENTS_CLAMPED, WORKGROUP_SIZE};
import package::lib::{elements, rect};
import package::value::Content;

fn is_beyond() -> bool {
    @if(few_markers) return (frame_counts.status & STATUS_ELEMENTS_CLAMPED) != 0u;
    @else return params.elements > plan.element_capacity;
}

// No box that the stage computes is larger. Without clips, and inside a filter, boxes may leave the viewport.
fn unlimited() -> vec4<f32> {
    @if(flows && !filters) return params.viewport;
    @else return rect::EVERYTHING;
}

// The content of a node that nothing closes.
@if(scene || in_place || few_markers)
fn content_of_unclosed(content: Content) -> Content {
    return select(content, unlimited(), is_beyond());
}

@else
fn content_of_unclosed(content: Content) -> Content {
    return content;
}

// Each thread of each tile stores its share of the boxes past the capacity. The index is below the length of the array.
@if(scene || few_markers)
fn store(tile: u32, thread: u32) {
    let end = min(params.elements, arrayLength(&boxes));
    let step = elements::tile_count() * WORKGROUP_SIZE;
    for (var i = first() + tile * WORKGROUP_SIZE + thread; i < end; i += step) {
        boxes[i] = unlimited();
    }
}

@elif(in_place)
fn store(tile: u32, thread: u32) {
    @if(flows) let length = arrayLength(&clips);
    @else let length = arrayLength(&contents);
    let end = min(params.elements, length);
    let step = elements::tile_count() * WORKGROUP_SIZE;
    for (var i = first() + tile * WORKGROUP_SIZE + thread; i < end; i += step) {
        @if(flows) clips[i] = unlimited();
        @if(grows) contents[i] = unlimited();
    }
}

@else
fn store(tile: u32, thread: u32) {
}

// The first element past the capacity.
fn first() -> u32 {
    @if(few_markers) return frame_counts.elements;
    @else return plan.element_capacity;
}
