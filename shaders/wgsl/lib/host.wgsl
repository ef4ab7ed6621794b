// The default host: a stream without elements. A caller of HostClips writes a module with these declarations, which
// replaces this file when kernels are linked. This file shows which declarations a host needs, and lets kernels be
// linked and validated without a caller.

import package::lib::rect::EVERYTHING;

// The number of elements in this frame.
fn host_count() -> u32 {
    return 0u;
}

// What the elements without a parent inherit.
fn host_viewport() -> vec4<f32> {
    return EVERYTHING;
}

// 1 for an open, 2 for a close; 0 and 3 for neither. Only the two lowest bits count.
fn host_role(element: u32) -> u32 {
    return 0u;
}

// The rect of an element: finite.
fn host_rect(element: u32) -> vec4<f32> {
    return EVERYTHING;
}

// The host loads this for an element and its link (an element, or NONE) before the clip is known.
alias HostTop = u32;

fn host_top(element: u32, role: u32, link: u32) -> HostTop {
    return 0u;
}

// Stores the answers for an element: its clip, and the clip that it inherits.
fn host_emit(element: u32, role: u32, link: u32, clip: vec4<f32>, inherited: vec4<f32>, loaded: HostTop) {}
