// filter_count: counts the entries of each tile's elements at each level. This is the first step of splitting a scene with
// filters into one stream per level (lib/filter_entries.wgsl).
//
//     workgroup  one tile of WORKGROUP_SIZE elements
//     thread     one element
//
//     counted[level][tile] = entries of the tile's elements at the level
//     counted[depth + 1][tile] = markers of the tile, and HAS_TOO_DEEP if one of its elements has more than `depth` filters
//                                around it
//
// In bounds: a level is at most the depth, so there are at most FILTER_ROWS rows; tiles are below filters.tiles.
//
// Reads 8 bytes per element.

import package::lib::filter_entries::{HAS_TOO_DEEP, entries_in, is_begin, is_end, level_of};
import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::layout::{FilterPlan, Params};
import package::constants::{FILTER_ROWS, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(40) var<uniform> filters: FilterPlan;
@group(0) @binding(4) var<storage, read> tags: array<u32>;
@group(0) @binding(41) var<storage, read_write> filter_level_words: array<u32>;
@group(0) @binding(44) var<storage, read_write> filter_words: array<u32>;

var<workgroup> counts: array<atomic<u32>, FILTER_ROWS>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let tile = workgroup_index(workgroup);
    let elements = min(params.elements, filters.element_capacity);
    if tile * WORKGROUP_SIZE >= elements {
        return;
    }
    let rows = filters.depth + 2u;
    for (var row = local.index; row < rows; row += WORKGROUP_SIZE) {
        atomicStore(&counts[row], 0u);
    }
    workgroupBarrier();
    let element = tile * WORKGROUP_SIZE + local.index;
    if element < elements {
        let tag = tags[element];
        let word = filter_words[element];
        let level = level_of(word);
        if level <= filters.depth {
            atomicAdd(&counts[level], entries_in(tag, word, level));
        } else {
            atomicOr(&counts[filters.depth + 1u], HAS_TOO_DEEP);
        }
        if is_begin(tag) || is_end(tag) {
            atomicAdd(&counts[filters.depth + 1u], 1u);
        }
        // A marker of a spread node also has an entry at the outer level.
        if level > 0u && level <= filters.depth + 1u {
            atomicAdd(&counts[level - 1u], entries_in(tag, word, level - 1u));
        }
    }
    workgroupBarrier();
    for (var row = local.index; row < rows; row += WORKGROUP_SIZE) {
        filter_words[filters.counted + row * filters.tiles + tile] = atomicLoad(&counts[row]);
    }
}
