// filter_scatter: splits a scene with filters into one stream per level (lib/filter_entries.wgsl).
//
//     workgroup  one tile of WORKGROUP_SIZE elements, as in filter_count
//     thread     one element
//
//     for each level: place of the element's entry = entries of earlier tiles (filter_scan) + of earlier threads
//     store the entry of the element; for a marker of a spread node, its inner marker, and its stand-in at the outer level
//     for a scene, also store the marker indices
//
// A spread node with too many filters around it becomes a fill of the clip around it, at the deepest level. The elements
// inside it are omitted, and filter_gather stores EVERYTHING for them.
//
// In bounds: `store` compares the place with the capacity of a level. For elements and tiles, see filter_count.
//
// Reads 24 bytes per element, and writes 24 per entry.

import package::lib::filter_entries::{FILL, STAND_IN, entries_in, is_begin, is_end, is_of_spread, level_of};
import package::lib::filter_entries::{origin_at, tag_at};
import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::lib::chunks::thread_of;
import package::lib::rect::{EVERYTHING, NOTHING};
import package::lib::sums::sum_before;
import package::layout::{FilterPlan, Params};
import package::constants::{NONE, ROLE_MASK, TAG_FILLS, TAG_NON_LOCAL, TAG_SPREAD, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(40) var<uniform> filters: FilterPlan;
@group(0) @binding(4) var<storage, read> tags: array<u32>;
@group(0) @binding(5) var<storage, read> rects: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> markers_before: array<u32>;
@group(0) @binding(7) var<storage, read_write> marker_elements: array<u32>;
@group(0) @binding(41) var<storage, read_write> filter_level_words: array<u32>;
@group(0) @binding(42) var<storage, read_write> filter_level_rects: array<vec4<f32>>;
@group(0) @binding(44) var<storage, read_write> filter_words: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let tile = workgroup_index(workgroup);
    let elements = min(params.elements, filters.element_capacity);
    if tile * WORKGROUP_SIZE >= elements {
        return;
    }
    let t = thread_of(workgroup, local);
    let element = tile * WORKGROUP_SIZE + t.index;
    let exists = element < elements;
    var tag = 0u;
    var word = 0u;
    if exists {
        tag = tags[element];
        word = filter_words[element];
    }
    // The places of the element's first entry at its level, and of its stand-in at the outer level.
    var inside = NONE;
    var outside = NONE;
    for (var level = 0u; level <= filters.depth; level++) {
        let own = select(0u, entries_in(tag, word, level), exists);
        let place = filter_words[filters.counted + level * filters.tiles + tile] + sum_before(t, own);
        if own > 0u && level == level_of(word) {
            inside = place;
        } else if own > 0u {
            outside = place;
        }
        // Wait until all threads have read the sums, because the next sum_before() overwrites them.
        workgroupBarrier();
    }
    @if(scene) {
        let is_marker = exists && (is_begin(tag) || is_end(tag));
        let row = filters.counted + (filters.depth + 1u) * filters.tiles;
        let marker = filter_words[row + tile] + sum_before(t, u32(is_marker));
        if exists {
            markers_before[element] = min(marker, filters.marker_capacity);
        }
        if is_marker && marker < filters.marker_capacity {
            marker_elements[marker] = element;
        }
    }
    if exists {
        split(element, tag, word, inside, outside);
        if level_of(word) > filters.depth {
            filter_words[element] = TOO_DEEP | select(0u, 1u, is_begin(tag) || is_end(tag));
        }
    }
}

// The word of an element with too many filters around it, for filter_gather. The lowest bit is set for markers.
const TOO_DEEP = ~1u;

fn split(element: u32, tag: u32, word: u32, inside: u32, outside: u32) {
    let level = level_of(word);
    let role = tag & ROLE_MASK;
    if is_of_spread(tag, word) {
        if level > filters.depth {
            // Only markers at level depth + 1 have a place outside.
            store(level - 1u, outside, FILL, EVERYTHING, NONE);
        } else {
            store(level, inside, role | TAG_SPREAD, NOTHING, element);
            store(level - 1u, outside, STAND_IN, EVERYTHING, inside);
        }
    } else if is_begin(tag) {
        store(level, inside, tag & (ROLE_MASK | TAG_NON_LOCAL), rects[element], element);
        if (tag & TAG_FILLS) != 0u && inside != NONE {
            store(level, inside + 1u, FILL, EVERYTHING, NONE);
        }
    } else {
        // A draw or an End. The rect of an End is ignored.
        store(level, inside, role, rects[element], element);
    }
}

// Stores an entry, unless its place is NONE or beyond the capacity.
fn store(level: u32, place: u32, tag: u32, rect: vec4<f32>, origin: u32) {
    if place < filters.entry_capacity {
        filter_level_words[tag_at(level, place)] = tag;
        filter_level_words[origin_at(level, place)] = origin;
        filter_level_rects[level * filters.entry_capacity + place] = rect;
    }
}
