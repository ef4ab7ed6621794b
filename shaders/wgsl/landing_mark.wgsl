// landing_mark: marks the elements that open a filter, for the pass down the tree that finds the filters around each
// element (lib/nearest_filters.wgsl).
//
//     thread  one element
//
//     outputs[element] = the element if its tag opens a spread node, otherwise NONE
//
// In bounds: tags and outputs have the same capacity, and the element is below it.
//
// Reads and writes 4 bytes per element.

import package::lib::threads::{Local, Workgroup, workgroup_index};
import package::layout::Params;
import package::constants::{NONE, ROLE_BEGIN, ROLE_MASK, TAG_SPREAD, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(4) var<storage, read> tags: array<u32>;
@group(0) @binding(18) var<storage, read_write> outputs: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let element = workgroup_index(workgroup) * WORKGROUP_SIZE + local.index;
    if element >= min(params.elements, min(arrayLength(&tags), arrayLength(&outputs))) {
        return;
    }
    let tag = tags[element];
    let is_filter = (tag & ROLE_MASK) == ROLE_BEGIN && (tag & TAG_SPREAD) != 0u;
    outputs[element] = select(NONE, element, is_filter);
}
