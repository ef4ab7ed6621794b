// A host, unless the caller brings another: no elements at all.

import package::lib::rect::EVERYTHING;
fn host_count() -> u32 {
    return 0u;
}

fn host_viewport() -> vec4<f32> {
    return EVERYTHING;
}

fn host_role(item: u32) -> u32 {
    return 0u;
}

fn host_rect(item: u32) -> vec4<f32> {
    return EVERYTHING;
}

alias HostTop = u32;

fn host_top(item: u32, role: u32, top: u32) -> HostTop {
    return 0u;
}

fn host_emit(item: u32, role: u32, top: u32, clip: vec4<f32>, around: vec4<f32>, known: HostTop) {}
