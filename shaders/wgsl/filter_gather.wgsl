// filter_gather: stores the results of a level's entries in the caller's buffers.
//
//     thread  one entry of the level; at level 0 also one element of the scene
//
//     entry            link     clip     content
//     draw, marker     its own  its own  its own
//     inner marker     of Ends  its own           the clip is the reverse bounds
//     stand-in         of Begins         its own  the content is its landing
//     fill
//
// The link of an entry is a place in the level, whose origin is the linked element. An element with too many filters around
// it has no link, and its boxes are EVERYTHING.
//
// Conditions: scene, in_place = the destination of the results (lib/answers_shared.wgsl).
//
// In bounds: for entries, see filter_reverse. The origin of an entry other than a stand-in or a fill is clamped to the last
// element. Links are NONE or below the number of entries. Marker indices are compared with the capacity of markers.
//
// Reads 44 bytes per entry, and 4 per element.

import package::lib::filter_entries::{FILL, element_of, is_begin, is_end, is_stand_in, level_inside, level_of, origin_of};
import package::lib::filter_entries::tag_of;
import package::lib::rect::EVERYTHING;
import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::layout::{FilterPlan, LevelParams};
import package::constants::{NONE, ROLE_MASK, TAG_NON_LOCAL, TAG_SPREAD, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: LevelParams;
@group(0) @binding(40) var<uniform> filters: FilterPlan;
@group(0) @binding(6) var<storage, read_write> markers_before: array<u32>;
@group(0) @binding(8) var<storage, read_write> links: array<u32>;
@group(0) @binding(9) var<storage, read_write> clips: array<vec4<f32>>;
@group(0) @binding(10) var<storage, read_write> contents: array<vec4<f32>>;
@group(0) @binding(11) var<storage, read_write> boxes: array<vec4<f32>>;
@group(0) @binding(41) var<storage, read_write> filter_level_words: array<u32>;
@group(0) @binding(44) var<storage, read_write> filter_words: array<u32>;
@group(0) @binding(45) var<storage, read_write> filter_boxes: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let at = workgroup_index(workgroup) * WORKGROUP_SIZE + local.index;
    if filters.level == 0u && at < params.scene_elements && level_of(filter_words[at]) > filters.depth {
        store_unlimited(at);
    }
    if at < params.entries {
        gather(at);
    }
}

fn gather(place: u32) {
    let tag = tag_of(filters.level, place);
    let origin = origin_of(filters.level, place);
    if is_stand_in(tag) && origin < filters.entry_capacity {
        let next = level_inside(filters.level);
        let element = element_of(next, origin);
        if is_begin(tag_of(next, origin)) {
            store_link(element, link_of(place), true);
        }
        store_content(element, content_of(place), content_of(place), true);
        return;
    }
    if is_stand_in(tag) || tag == FILL {
        return;
    }
    let element = element_of(filters.level, place);
    let is_marker = (tag & ROLE_MASK) != 0u;
    let is_inner = (tag & TAG_SPREAD) != 0u;
    if !is_inner || is_end(tag) {
        store_link(element, link_of(place), is_marker);
    }
    store_clip(element, filter_boxes[place], is_marker);
    if !is_inner {
        store_content(element, content_of(place), bounds_of(place, tag), is_marker);
    }
}

// Returns the place of an entry's Begin or parent, or NONE.
fn link_at(place: u32) -> u32 {
    return filter_words[filters.links + place];
}

// Returns the link of an entry as an element of the scene, or NONE.
fn link_of(place: u32) -> u32 {
    let link = link_at(place);
    if link >= filters.entry_capacity {
        return NONE;
    }
    return origin_of(filters.level, link);
}

fn content_of(place: u32) -> vec4<f32> {
    return filter_boxes[filters.entry_capacity + place];
}

// Returns the bounds of an element: its content, or the clip of its parent if it is non-local.
fn bounds_of(place: u32, tag: u32) -> vec4<f32> {
    var begin = place;
    if is_end(tag) {
        begin = link_at(place);
    }
    if begin >= filters.entry_capacity || (tag_of(filters.level, begin) & TAG_NON_LOCAL) == 0u {
        return content_of(place);
    }
    let parent = link_at(begin);
    if parent >= filters.entry_capacity {
        return params.viewport;
    }
    return filter_boxes[parent];
}

// ---------------------------------------------------------------------------------------------------------------------
// For a scene, results of markers are stored by marker index, and bounds by element. In place, all are stored by element.

fn store_link(element: u32, link: u32, is_marker: bool) {
    @if(scene) {
        if is_marker && markers_before[element] < filters.marker_capacity {
            links[markers_before[element]] = link;
        }
    }
    @else links[element] = link;
}

fn store_clip(element: u32, clip: vec4<f32>, is_marker: bool) {
    @if(scene) {
        if is_marker && markers_before[element] < filters.marker_capacity {
            clips[markers_before[element]] = clip;
        }
    }
    @else clips[element] = clip;
}

fn store_content(element: u32, content: vec4<f32>, bounds: vec4<f32>, is_marker: bool) {
    @if(scene) {
        if is_marker && markers_before[element] < filters.marker_capacity {
            contents[markers_before[element]] = content;
        }
        boxes[element] = bounds;
    }
    @else contents[element] = content;
}

// Stores the results of an element with too many filters around it. The lowest bit of its word tells whether it is a marker
// (filter_scatter).
fn store_unlimited(element: u32) {
    let is_marker = (filter_words[element] & 1u) != 0u;
    store_link(element, NONE, is_marker);
    store_clip(element, EVERYTHING, is_marker);
    store_content(element, EVERYTHING, EVERYTHING, is_marker);
}
