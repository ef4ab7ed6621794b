// The default adapter: a stream without elements. An *adapter* is a module that a caller of HostClips writes. It reads
// elements from the caller's buffers, stores the results there, and replaces this file when kernels are linked. This file
// shows the declarations that an adapter needs, and allows kernels to be linked and validated without a caller.

import package::lib::rect::EVERYTHING;

// Returns the number of elements in this frame.
fn adapter_count() -> u32 {
    return 0u;
}

// Returns the clip that elements without a parent inherit.
fn adapter_viewport() -> vec4<f32> {
    return EVERYTHING;
}

// Returns the role of an element: 1 for an open, 2 for a close, 0 or 3 for neither. Bits above the two lowest are ignored.
fn adapter_role(element: u32) -> u32 {
    return 0u;
}

// Returns the rect of an element. Its coordinates must be finite.
fn adapter_rect(element: u32) -> vec4<f32> {
    return EVERYTHING;
}

// Data that the adapter loads for an element and its link (an element, or NONE) before the clip is known.
alias AdapterTop = u32;

fn adapter_top(element: u32, role: u32, link: u32) -> AdapterTop {
    return 0u;
}

// Stores the results of an element: its clip, and the clip that it inherits.
fn adapter_emit(element: u32, role: u32, link: u32, clip: vec4<f32>, inherited: vec4<f32>, loaded: AdapterTop) {}
