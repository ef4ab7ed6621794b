// The host that stands in where a caller gives none: no elements at all. A caller of HostClips writes a module with these
// declarations; its own replaces this file when kernels are linked. This file shows which declarations a host needs, and
// lets `link` and the validation by naga work without a caller.

import package::lib::rect::EVERYTHING;

// Elements of this frame.
fn host_count() -> u32 {
    return 0u;
}

// What flows from the root.
fn host_viewport() -> vec4<f32> {
    return EVERYTHING;
}

// 1 for what opens, 2 for what closes, 0 for what does neither.
fn host_role(item: u32) -> u32 {
    return 0u;
}

// The rect that an element cuts by.
fn host_rect(item: u32) -> vec4<f32> {
    return EVERYTHING;
}

// What the host loads of an element and its top (an element, or NONE) before the clip is known.
alias HostTop = u32;

fn host_top(item: u32, role: u32, top: u32) -> HostTop {
    return 0u;
}

// Takes the answers for an element: its clip, and what flows to it.
fn host_emit(item: u32, role: u32, top: u32, clip: vec4<f32>, around: vec4<f32>, known: HostTop) {}
