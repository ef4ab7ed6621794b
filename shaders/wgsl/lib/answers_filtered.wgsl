// What resolve stores of a scene in which no element has more than one filter around it: see lib/answers.wgsl. The values
// of paths are placed (lib/filtered.wgsl).

import package::kernel::{Element, Flow, clips, contents, links, plan, tags, values};
import package::constants::{NONE, ROLE_BEGIN, ROLE_MASK, TAG_FILLS, TAG_SPREAD, TILE};
import package::lib::filtered::{Filtered, INSIDE, OUTSIDE, UNLIMITED, UP_IDENTITY};
import package::lib::filtered::{box_of, content_of, has_two_filters, on_side, painted};
import package::lib::rect::NOTHING;
import package::lib::roles::{CLOSES, NON_LOCAL, OPENS};
@if(scene) import package::kernel::boxes;
@if(scene) import package::lib::tile_opens::role_of_open;

alias Early = u32;

// The tag of an open, or of the open that a close matches; 0 for any other element.
fn tag_of(e: Element) -> u32 {
    let open = select(e.link, e.index, (e.role & OPENS) != 0u);
    if (e.role & (OPENS | CLOSES)) == 0u || open == NONE {
        return 0u;
    }
    return tags[open];
}

fn load_early(e: Element) -> Early {
    return 0u;
}

fn write_down(e: Element, flow: Flow, early: Early) {
    if !e.exists {
        return;
    }
    let has_no_open = (e.role & CLOSES) != 0u && e.link == NONE;
    let clip = select(box_of(flow.product), NOTHING, has_no_open);
    let link = select(e.link, NONE, has_two_filters(flow.product.word));
    @if(scene) {
        if e.role == 0u {
            boxes[e.index] = clip;
        } else if e.marker < plan.marker_capacity {
            links[e.marker] = link;
            clips[e.marker] = clip;
        }
    }
    @else {
        links[e.index] = link;
        clips[e.index] = clip;
        if e.role == 0u {
            contents[e.index] = clip;
        }
    }
}

fn is_spread(e: Element) -> bool {
    return (e.tag & TAG_SPREAD) != 0u;
}

fn fills(e: Element) -> bool {
    return (e.tag & (TAG_FILLS | TAG_SPREAD)) == TAG_FILLS;
}

// What an element adds to the nodes around it. A second filter paints all that the clip around it lets through.
fn leaf_of(e: Element, flow: Flow) -> Filtered {
    let is_second = is_spread(e) && has_two_filters(flow.product.word);
    let is_non_local = (e.role & NON_LOCAL) != 0u;
    let has_leaf = e.role == 0u || is_non_local || fills(e) || is_second;
    if !e.exists || (e.role & CLOSES) != 0u || !has_leaf {
        return UP_IDENTITY;
    }
    var place = flow.product;
    if is_non_local {
        place = flow.inherited;
    }
    return painted(place);
}

// What a node contains without the elements inside it, for both of its markers. `leaf` is what the element adds to other nodes.
fn first_factor(e: Element, flow: Flow, leaf: Filtered) -> Filtered {
    if !fills(e) {
        return UP_IDENTITY;
    }
    if e.role == OPENS {
        return leaf;
    }
    return painted(flow.product);
}

// The bounds of a non-local node are everything that it inherits. Its open stores them, also for its close if that is in the
// tile.
fn write_non_local(e: Element, tile: u32, other: u32, leaf: Filtered) {
    @if(scene) {
        if (e.role & NON_LOCAL) != 0u {
            let inherited = content_of(on_side(leaf, e.side));
            boxes[e.index] = inherited;
            if other < TILE {
                boxes[tile * TILE + other] = inherited;
            }
        }
    }
}

// Which rect of a node's product is its content. A filter's own content is what it paints.
fn side_of(e: Element, flow: Flow) -> u32 {
    let side = select(OUTSIDE, INSIDE, flow.product.word != 0u && !is_spread(e));
    return select(side, UNLIMITED, has_two_filters(flow.product.word));
}

// `other` is the place of the node's other marker in the tile, or at least TILE.
fn write_up(e: Element, other: u32, product: Filtered, is_whole: bool) {
    @if(!one_tile) {
        if !is_whole {
            values[plan.parts + e.index] = on_side(product, e.side);
            return;
        }
    }
    let content = content_of(on_side(product, e.side));
    @if(scene) {
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
    @else contents[e.index] = content;
}
