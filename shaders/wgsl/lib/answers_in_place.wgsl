// Results of a scene that are all stored by element: see lib/answers_shared.wgsl.

import package::kernel::{Element, Flow, Survivor, clips, contents, links, rects};
import package::constants::NONE;
import package::lib::answers_shared;
import package::lib::answers_shared::{Early, clip_of, first_factor, load_early};
import package::lib::rect::NOTHING;

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
    return answers_shared::leaf_of_scene(e, flow);
}

// No bounds are stored.
fn write_non_local(e: Element, tile: u32, other: u32, leaf: vec4<f32>) {}

fn write_up(e: Element, other: u32, content: vec4<f32>, is_whole: bool) {
    contents[e.index] = content;
}

fn with_parts(survivor: Survivor, tile: u32, slot: u32) -> Survivor {
    var all = survivor;
    all.open_part = contents[all.open];
    if all.close != NONE {
        all.close_part = contents[all.close];
    }
    return all;
}

fn scene_element(element: u32) -> u32 {
    return element;
}

fn write_open(survivor: Survivor, content: vec4<f32>) {
    contents[survivor.open] = content;
}

fn write_close(survivor: Survivor, content: vec4<f32>) {
    contents[survivor.close] = content;
}
