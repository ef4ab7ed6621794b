// What resolve stores of a scene whose answers all go to their elements' places: see lib/answers.wgsl.

import package::kernel::{Element, Flow, clips, contents, links, rects};
import package::lib::answers;
import package::lib::answers::clip_of;
import package::lib::rect::NOTHING;

// Nothing is loaded early.
alias Early = u32;

fn load_early(e: Element) -> Early {
    return 0u;
}

fn write_down(e: Element, flow: Flow, early: Early) {
    if !e.exists {
        return;
    }
    links[e.index] = e.link;
    @if(flows) clips[e.index] = clip_of(e, flow);
    @if(grows) {
        if e.role == 0u {
            @if(flows) contents[e.index] = clip_of(e, flow);
            @else contents[e.index] = rects[e.index];
        }
    }
}

fn leaf_of(e: Element, flow: Flow) -> vec4<f32> {
    if !e.exists {
        return NOTHING;
    }
    return answers::leaf_of_scene(e, flow);
}

// No bounds are stored.
fn write_non_local(e: Element, tile: u32, other: u32, leaf: vec4<f32>) {}

fn write_up(e: Element, other: u32, content: vec4<f32>, is_whole: bool) {
    contents[e.index] = content;
}
