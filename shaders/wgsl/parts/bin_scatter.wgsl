// The box of an element, brought to its place on the way, as the kernel `scatter`
// would: `draws` has written those of draws and of begins of non-local blends, the
// latter for their ends too, and nothing for the rest; `contents` the others.
//
// No thread writes a box that another reads: only a begin of a non-local blend is
// read from elsewhere. Nodes past the capacity keep what `draws` wrote. A link of an
// end names an element, or none.
fn box_of(element: u32) -> vec4<f32> {
    let tag = tags[element];
    let node = nodes_before[element];
    let role = tag & ROLE_MASK;
    let is_node = role == ROLE_BEGIN || role == ROLE_END;
    if !is_node || node >= counts.nodes {
        return bounds[element];
    }
    var begin = element;
    if role == ROLE_END {
        begin = links[node];
    }
    if begin == NONE {
        return bounds[element];
    }
    var changed = contents[node];
    if (tags[begin] & NON_LOCAL) != 0u {
        changed = bounds[begin];
    }
    if begin != element || (tag & NON_LOCAL) == 0u {
        bounds[element] = changed;
    }
    return changed;
}
