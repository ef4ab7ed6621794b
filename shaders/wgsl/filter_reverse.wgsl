// filter_reverse: computes the reverse bounds of filters from the clips around them, for the next level. It runs on the way
// down, after the stage has found the clips of a level.
//
//     thread  one entry of the level
//
//     for a stand-in: its tag = whether the clip around the filter is far
//     for a stand-in of a Begin: the rect of its inner marker = the reverse bounds of that clip
//
// In bounds: entries are below the number of the level's entries, which is at most the capacity of a level. The place of an
// inner marker and its element come from filter_scatter, and both are bounded.
//
// Reads 4 bytes per entry, and 40 more per filter. Writes 16 per filter.

import package::lib::filter_entries::{FAR_STAND_IN, STAND_IN, element_of, is_begin, level_inside, origin_of, tag_at, tag_of};
import package::lib::spread::{is_far, reverse_bounds};
import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::layout::{FilterPlan, LevelParams};
import package::constants::WORKGROUP_SIZE;

@group(0) @binding(0) var<uniform> params: LevelParams;
@group(0) @binding(40) var<uniform> filters: FilterPlan;
@group(0) @binding(5) var<storage, read> rects: array<vec4<f32>>;
@group(0) @binding(41) var<storage, read_write> filter_level_words: array<u32>;
@group(0) @binding(42) var<storage, read_write> filter_level_rects: array<vec4<f32>>;
@group(0) @binding(45) var<storage, read_write> filter_boxes: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let place = workgroup_index(workgroup) * WORKGROUP_SIZE + local.index;
    if place >= params.entries || tag_of(filters.level, place) != STAND_IN {
        return;
    }
    let clip = filter_boxes[place];
    if is_far(clip) {
        filter_level_words[tag_at(filters.level, place)] = FAR_STAND_IN;
    }
    let next = level_inside(filters.level);
    let inner = origin_of(filters.level, place);
    if inner < filters.entry_capacity && is_begin(tag_of(next, inner)) {
        let offsets = rects[element_of(next, inner)];
        filter_level_rects[next * filters.entry_capacity + inner] = reverse_bounds(offsets, clip);
    }
}
