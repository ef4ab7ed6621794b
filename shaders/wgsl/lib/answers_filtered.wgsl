// Results of a scene with at most one filter around each element: see lib/answers_shared.wgsl. Each result is converted to
// a rect here, and stored as for the same stream without filters (`package::unfiltered_answers`). Paths have
// already been placed: their values are results of placed() (lib/value_filtered.wgsl).

import package::kernel::{Element, Flow, Survivor, plan, tags, words};
import package::constants::{NONE, TAG_FILLS, TAG_SPREAD};
import package::value::{Filtered, INSIDE, OUTSIDE, UNLIMITED, content_of, has_two_filters, landed, painted, up_combine};
import package::value::up_identity;
import package::lib::gaps;
import package::lib::rect::{EVERYTHING, NOTHING, rect_union};
import package::lib::roles::{CLOSES, NON_LOCAL, OPENS};
import package::unfiltered_answers;
import package::unfiltered_answers::{Early, gap_flow, load_early, number_marker, scene_element, write_close, write_gaps};
import package::unfiltered_answers::write_open;

// Returns the tag of an open, or of the open that a close matches; 0 for any other element.
fn tag_of(e: Element) -> u32 {
    let open = select(e.link, e.index, (e.role & OPENS) != 0u);
    if (e.role & (OPENS | CLOSES)) == 0u || open == NONE {
        return 0u;
    }
    return tags[scene_element(open)];
}

// Stores NONE as the link of an element with two filters around it.
fn write_down(e: Element, flow: Flow, early: Early) {
    var known = e;
    if has_two_filters(flow.product.word) {
        known.link = NONE;
    }
    unfiltered_answers::write_down(known, flow, select(early, NONE, known.link == NONE));
}

fn is_spread(e: Element) -> bool {
    return (e.tag & TAG_SPREAD) != 0u;
}

fn fills(e: Element) -> bool {
    return (e.tag & (TAG_FILLS | TAG_SPREAD)) == TAG_FILLS;
}

// Returns the leaf of an element; with few markers, united with the paint of its gap.
fn leaf_of(e: Element, flow: Flow) -> Filtered {
    if !e.exists {
        return up_identity();
    }
    @if(few_markers) return up_combine(gap_leaf(e, flow), own_leaf(e, flow));
    @else return own_leaf(e, flow);
}

// Returns the leaf of an element, without the gap before a post. Draws, nodes that fill their clip, and non-local opens have
// leaves. A second filter counts as a node that fills its clip.
fn own_leaf(e: Element, flow: Flow) -> Filtered {
    let is_second = is_spread(e) && has_two_filters(flow.product.word);
    let is_non_local = (e.role & NON_LOCAL) != 0u;
    @if(few_markers) let is_draw = false;
    @else let is_draw = e.role == 0u;
    let has_leaf = is_draw || is_non_local || fills(e) || is_second;
    if (e.role & CLOSES) != 0u || !has_leaf {
        return up_identity();
    }
    var place = flow.product;
    if is_non_local {
        place = flow.inherited;
    }
    return painted(place);
}

// Returns the paint of the draws in a gap. All of them inherit the same value, so their landing is computed once. Inside a
// second filter they add nothing, because that filter's own leaf fills the clip.
fn gap_leaf(e: Element, flow: Flow) -> Filtered {
    let place = gap_flow(e, flow);
    if has_two_filters(place.word) {
        return up_identity();
    }
    return landed(place, gaps::painted(e.index));
}

// Returns the content of a node before the elements inside it are added, for both of its markers; with few markers, it
// includes the gap before the close.
fn first_factor(e: Element, flow: Flow, leaf: Filtered) -> vec4<f32> {
    var content = NOTHING;
    if fills(e) {
        content = content_of(painted(flow.product), e.side);
    }
    if (e.role & CLOSES) != 0u {
        content = rect_union(content, content_of(leaf, e.side));
    }
    return content;
}

fn write_non_local(e: Element, tile: u32, other: u32, leaf: Filtered) {
    unfiltered_answers::write_non_local(e, tile, other, content_of(leaf, e.side));
}

// Returns which rect of a node's product is the node's content. A filter's own content is outside the filter.
fn side_of(e: Element, flow: Flow) -> u32 {
    let side = select(OUTSIDE, INSIDE, flow.product.word != 0u && !is_spread(e));
    return select(side, UNLIMITED, has_two_filters(flow.product.word));
}

// Stores the results of a marker. If its node continues in other tiles, the open also stores its side, for span.
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
