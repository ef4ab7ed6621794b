// Frames with more elements than their job was recorded for. The kernels process the elements up to the capacity of the
// plan, as if the stream ended there. Boxes that a later element could change are *unlimited*, so they are too large rather
// than too small:
//
//     the boxes of elements past the capacity
//     the contents of nodes that are still open at the capacity
//
// A clip box depends only on earlier elements, so the clip boxes up to the capacity are correct.

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

// Contains every box that the stage computes. Without clips, and inside a filter, boxes may extend beyond the viewport.
fn unlimited() -> vec4<f32> {
    @if(flows && !filters) return params.viewport;
    @else return rect::EVERYTHING;
}

// Returns the content of an unclosed node.
@if(scene || in_place || few_markers)
fn content_of_unclosed(content: Content) -> Content {
    return select(content, unlimited(), is_beyond());
}

@else
fn content_of_unclosed(content: Content) -> Content {
    return content;
}

// Stores the thread's share of the boxes past the capacity. In bounds: the index is below the length of the array.
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

// Returns the first element past the capacity.
fn first() -> u32 {
    @if(few_markers) return frame_counts.elements;
    @else return plan.element_capacity;
}
