// Results of a scene: see lib/answers_shared.wgsl.

import package::kernel::{Element, Flow, Survivor, boxes, clips, contents, links, params, plan, rects};
import package::constants::{NONE, TILE};
import package::lib::{answers_shared, incoming, marker_indices, roles, scratch};
import package::lib::answers_shared::{Early, clip_of, first_factor, load_early, write_close, write_open};
import package::lib::chunks::Thread;
import package::lib::elements::element_count;
import package::lib::rect::NOTHING;
import package::lib::roles::{CLOSES, NON_LOCAL};
import package::lib::tile_opens::role_of_open;

// Returns the element's index among the scene's markers. With `one_tile`, also stores the marker indices; with `near`, the
// number of markers before the tile, for later kernels.
fn number_marker(t: Thread, tile: u32, e: Element) -> u32 {
    @if(one_tile) {
        let marker = roles::collected_rank(t.index);
        marker_indices::store(e.index, marker, e.role != 0u);
        return marker;
    }
    @elif(near) {
        let before = incoming::markers_before();
        if t.index == 0u {
            scratch::markers_before_tile_store(tile, before);
        }
        return e.marker + before;
    }
    @else return e.marker + scratch::markers_before_tile(tile);
}

fn write_down(e: Element, flow: Flow, early: Early) {
    if !e.exists {
        return;
    }
    @if(flows) {
        let clip = clip_of(e, flow);
        @if(grows) {
            if e.role == 0u {
                boxes[e.index] = clip;
            }
        }
        @else boxes[e.index] = clip;
        if e.role != 0u && e.marker < plan.marker_capacity {
            links[e.marker] = e.link;
            clips[e.marker] = clip;
        }
    }
    @else {
        if e.role == 0u {
            boxes[e.index] = rects[e.index];
        } else if e.marker < plan.marker_capacity {
            links[e.marker] = e.link;
        }
    }
}

fn leaf_of(e: Element, flow: Flow) -> vec4<f32> {
    if !e.exists {
        return NOTHING;
    }
    return answers_shared::leaf_of_scene(e, flow);
}

// Stores the bounds of a non-local node, which are the clip that it inherits. The open also stores the bounds of the close
// if the close is in the tile.
fn write_non_local(e: Element, tile: u32, other: u32, leaf: vec4<f32>) {
    @if(flows) let inherited = leaf;
    @else let inherited = params.viewport;
    if (e.role & NON_LOCAL) != 0u {
        boxes[e.index] = inherited;
        // The place is a result of lane operations, so it is compared with the number of elements.
        if other < TILE && tile * TILE + other < element_count() {
            boxes[tile * TILE + other] = inherited;
        }
    }
}

// `other` is the place of the node's other marker in the tile, or at least TILE.
fn write_up(e: Element, other: u32, content: vec4<f32>, is_whole: bool) {
    if e.marker < plan.marker_capacity {
        contents[e.marker] = content;
    }
    var role = e.role;
    if (role & CLOSES) != 0u && other < TILE {
        role = role_of_open(other);
    }
    if (role & NON_LOCAL) == 0u {
        boxes[e.index] = content;
    }
}

// Parts beyond the capacity of markers are not loaded.
fn with_parts(survivor: Survivor, tile: u32, slot: u32) -> Survivor {
    var all = survivor;
    let marker = scratch::slot_open_marker(slot);
    all.open_marker = scratch::markers_before_tile(tile) + marker.x;
    all.close_marker = scratch::slot_close_marker(slot);
    all.is_local = (marker.y & NON_LOCAL) == 0u;
    if all.open_marker < plan.marker_capacity {
        all.open_part = contents[all.open_marker];
    }
    if all.close != NONE && all.close_marker < plan.marker_capacity {
        all.close_part = contents[all.close_marker];
    }
    return all;
}

fn scene_element(element: u32) -> u32 {
    return element;
}
