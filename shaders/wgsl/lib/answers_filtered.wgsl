// Answers for a scene in which no element has more than one filter around it: see lib/answers_shared.wgsl. Each
// answer becomes a rect here, and is stored as in the same stream without filters (`package::unfiltered_answers`). The values of paths are placed (lib/value_filtered.wgsl).

import package::kernel::{Element, Flow, Survivor, plan, tags, words};
import package::constants::{NONE, TAG_FILLS, TAG_SPREAD};
import package::value::{Filtered, INSIDE, OUTSIDE, UNLIMITED, content_of, has_two_filters, painted, up_identity};
import package::lib::rect::{EVERYTHING, NOTHING};
import package::lib::roles::{CLOSES, NON_LOCAL, OPENS};
import package::unfiltered_answers;
import package::unfiltered_answers::{Early, load_early, number_marker, scene_element, write_close, write_open};

// The tag of an open, or of the open that a close matches; 0 for any other element.
fn tag_of(e: Element) -> u32 {
    let open = select(e.link, e.index, (e.role & OPENS) != 0u);
    if (e.role & (OPENS | CLOSES)) == 0u || open == NONE {
        return 0u;
    }
    return tags[open];
}

// An element with two filters around it has no link.
fn write_down(e: Element, flow: Flow, early: Early) {
    var known = e;
    if has_two_filters(flow.product.word) {
        known.link = NONE;
    }
    unfiltered_answers::write_down(known, flow, early);
}

fn is_spread(e: Element) -> bool {
    return (e.tag & TAG_SPREAD) != 0u;
}

fn fills(e: Element) -> bool {
    return (e.tag & (TAG_FILLS | TAG_SPREAD)) == TAG_FILLS;
}

// The leaf of a draw, of a node that fills its clip, and of a non-local open. A second filter fills the clip around it.
fn leaf_of(e: Element, flow: Flow) -> Filtered {
    let is_second = is_spread(e) && has_two_filters(flow.product.word);
    let is_non_local = (e.role & NON_LOCAL) != 0u;
    let has_leaf = e.role == 0u || is_non_local || fills(e) || is_second;
    if !e.exists || (e.role & CLOSES) != 0u || !has_leaf {
        return up_identity();
    }
    var place = flow.product;
    if is_non_local {
        place = flow.inherited;
    }
    return painted(place);
}

// The content of a node before the elements inside it are added, for both of its markers.
fn first_factor(e: Element, flow: Flow, leaf: Filtered) -> vec4<f32> {
    if fills(e) {
        return content_of(painted(flow.product), e.side);
    }
    return NOTHING;
}

fn write_non_local(e: Element, tile: u32, other: u32, leaf: Filtered) {
    unfiltered_answers::write_non_local(e, tile, other, content_of(leaf, e.side));
}

// Which rect of a node's product is its content. A filter's own content is what it paints.
fn side_of(e: Element, flow: Flow) -> u32 {
    let side = select(OUTSIDE, INSIDE, flow.product.word != 0u && !is_spread(e));
    return select(side, UNLIMITED, has_two_filters(flow.product.word));
}

// For span, the open of a node that goes on in other tiles also stores its side.
fn write_up(e: Element, other: u32, content: vec4<f32>, is_whole: bool) {
    @if(!one_tile) {
        if !is_whole && (e.role & OPENS) != 0u {
            words[plan.sides + e.index] = e.side;
        }
    }
    let all = select(content, EVERYTHING, e.side == UNLIMITED);
    unfiltered_answers::write_up(e, other, all, is_whole);
}

fn with_parts(survivor: Survivor, tile: u32, slot: u32) -> Survivor {
    var all = survivor;
    all.side = words[plan.sides + all.open];
    return unfiltered_answers::with_parts(all, tile, slot);
}
