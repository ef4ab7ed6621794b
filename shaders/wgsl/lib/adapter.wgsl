// The default adapter: a stream without elements. An *adapter* is a module that a caller of HostClips writes. It reads
// elements from the caller's buffers, stores the answers there, and replaces this file when kernels are linked. This file
// shows which declarations an adapter needs, and lets kernels be linked and validated without a caller.

import package::lib::rect::EVERYTHING;

// The number of elements in this frame.
fn adapter_count() -> u32 {
    return 0u;
}

// What the elements without a parent inherit.
fn adapter_viewport() -> vec4<f32> {
    return EVERYTHING;
}

// 1 for an open, 2 for a close; 0 and 3 for neither. Only the two lowest bits count.
fn adapter_role(element: u32) -> u32 {
    return 0u;
}

// The rect of an element: finite.
fn adapter_rect(element: u32) -> vec4<f32> {
    return EVERYTHING;
}

// The adapter loads this for an element and its link (an element, or NONE) before the clip is known.
alias AdapterTop = u32;

fn adapter_top(element: u32, role: u32, link: u32) -> AdapterTop {
    return 0u;
}

// Stores the answers for an element: its clip, and the clip that it inherits.
fn adapter_emit(element: u32, role: u32, link: u32, clip: vec4<f32>, inherited: vec4<f32>, loaded: AdapterTop) {}
