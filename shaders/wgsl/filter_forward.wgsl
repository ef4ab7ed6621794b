// filter_forward: computes the forward bounds of filters from their contents, for the level around them. It runs on the way
// up, after the stage has found the contents of the next level.
//
//     thread  one entry of the level
//
//     for a stand-in: its rect = the forward bounds of the content of its inner marker, not clipped yet; EVERYTHING if the
//     clip around the filter is far. The stage clips this rect.
//
// In bounds: see filter_reverse. The link of an inner marker that ends a node is a Begin of the same level, or NONE.
//
// Reads 4 bytes per entry, and 44 more per marker of a filter. Writes 16 per marker of a filter.

import package::lib::filter_entries::{FAR_STAND_IN, element_of, is_end, is_stand_in, level_inside, origin_of, tag_of};
import package::lib::rect::{EVERYTHING, NOTHING};
import package::lib::spread::moved_out;
import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::layout::{FilterPlan, LevelParams};
import package::constants::WORKGROUP_SIZE;

@group(0) @binding(0) var<uniform> params: LevelParams;
@group(0) @binding(40) var<uniform> filters: FilterPlan;
@group(0) @binding(5) var<storage, read> rects: array<vec4<f32>>;
@group(0) @binding(41) var<storage, read_write> filter_level_words: array<u32>;
@group(0) @binding(42) var<storage, read_write> filter_level_rects: array<vec4<f32>>;
@group(0) @binding(44) var<storage, read_write> filter_words: array<u32>;
@group(0) @binding(45) var<storage, read_write> filter_boxes: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let place = workgroup_index(workgroup) * WORKGROUP_SIZE + local.index;
    if place >= params.entries {
        return;
    }
    let tag = tag_of(filters.level, place);
    if !is_stand_in(tag) {
        return;
    }
    let next = level_inside(filters.level);
    let inner = origin_of(filters.level, place);
    if inner >= filters.entry_capacity {
        return;
    }
    // An End has the same content as its Begin, but only the Begin has the footprint as its rect.
    var begin = inner;
    if is_end(tag_of(next, inner)) {
        begin = filter_words[filters.links + inner];
    }
    if begin < filters.entry_capacity {
        let offsets = rects[element_of(next, begin)];
        let content = filter_boxes[filters.entry_capacity + inner];
        var lands = moved_out(offsets, content);
        if tag == FAR_STAND_IN {
            lands = select(NOTHING, EVERYTHING, content.x < content.z);
        }
        filter_level_rects[filters.level * filters.entry_capacity + place] = lands;
    }
}
