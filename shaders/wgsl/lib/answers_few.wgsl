// Results of a scene with few markers: see lib/answers_shared.wgsl. The elements are posts (lib/posts.wgsl), and the draws
// are in the gaps between them (lib/gaps.wgsl). Marker indices are results of lane operations (count_markers.wgsl), so
// they are compared with the capacity.

import package::kernel::{Element, Flow, Survivor, boxes, clips, contents, links, params, plan};
import package::constants::{NONE, TILE};
import package::lib::{answers_shared, gaps, posts};
import package::lib::answers_shared::{clip_of, first_factor, write_close, write_open};
import package::lib::chunks::Thread;
import package::lib::elements::element_count;
import package::lib::gaps::{Blocks, Loaded};
import package::lib::rect::NOTHING;
import package::lib::roles::{CLOSES, NON_LOCAL, OPENS};
import package::lib::tile_opens::role_of_open;
import package::value::{Value, down_identity};

// The link as an element of the scene.
alias Early = u32;

fn load_early(e: Element) -> Early {
    if e.link == NONE {
        return NONE;
    }
    return posts::scene_element(posts::load(e.link));
}

fn write_down(e: Element, flow: Flow, link: Early) {
    if e.role != 0u && e.marker < plan.marker_capacity {
        links[e.marker] = link;
        @if(flows) clips[e.marker] = clip_of(e, flow);
    }
}

// Computes the boxes of the draws in the tile's gaps. draw() ends with a barrier, after which the bounds of markers may be
// stored. If no values grow, they are stored here.
fn write_gaps(t: Thread, tile: u32, e: Element, flow: Flow, blocks: Blocks, first: Loaded) {
    gaps::draw(t, tile, blocks, first, gap_flow(e, flow));
    @if(!grows) {
        if e.role != 0u {
            boxes[e.scene_element] = clip_of(e, flow);
        }
    }
}

// Returns the product that flows to the draws in the gap before a post. The gap before an open is outside its node, so the
// draws inherit the same product as the open. The gap before a close is inside the node, so they inherit the close's
// product.
fn gap_flow(e: Element, flow: Flow) -> Value {
    @if(flows) {
        if (e.role & OPENS) != 0u {
            return flow.inherited;
        }
        return flow.product;
    }
    @else return down_identity();
}

// Returns the leaf of a post, which is the union of the boxes in its gap.
fn leaf_of(e: Element, flow: Flow) -> vec4<f32> {
    if !e.exists {
        return NOTHING;
    }
    return answers_shared::with_inherited(e, flow, gaps::painted(e.index));
}

// See lib/answers_scene.wgsl.
fn write_non_local(e: Element, tile: u32, other: u32, leaf: vec4<f32>) {
    @if(flows) let inherited = leaf;
    @else let inherited = params.viewport;
    if (e.role & NON_LOCAL) != 0u {
        boxes[e.scene_element] = inherited;
        if other < TILE {
            boxes[scene_element(tile * TILE + other)] = inherited;
        }
    }
}

fn write_up(e: Element, other: u32, content: vec4<f32>, is_whole: bool) {
    if e.marker < plan.marker_capacity {
        contents[e.marker] = content;
    }
    var role = e.role;
    if (role & CLOSES) != 0u && other < TILE {
        role = role_of_open(other);
    }
    if (role & NON_LOCAL) == 0u {
        boxes[e.scene_element] = content;
    }
}

fn with_parts(survivor: Survivor, tile: u32, slot: u32) -> Survivor {
    var all = survivor;
    let begin = posts::load(all.open);
    all.open_marker = posts::marker(all.open, begin);
    all.is_local = (posts::role(begin) & NON_LOCAL) == 0u;
    if all.open_marker < plan.marker_capacity {
        all.open_part = contents[all.open_marker];
    }
    if all.close != NONE {
        all.close_marker = posts::marker(all.close, posts::load(all.close));
        if all.close_marker < plan.marker_capacity {
            all.close_part = contents[all.close_marker];
        }
    }
    return all;
}

// `post` may be a result of lane operations, so it is bounded.
fn scene_element(post: u32) -> u32 {
    return posts::scene_element(posts::load(min(post, element_count() - 1u)));
}
