// What a scene writes of nodes that end in another tile. Past the capacity of nodes
// nothing is written.

// The part of a begin is its content so far; that of an end, its bounds.
fn part_of(item: u32, node: u32) -> Grow {
    if opens(tags[item]) && node < plan.node_capacity {
        return unpacked(contents[node]);
    }
    return unpacked(bounds[item]);
}

// A node without an end. The bounds of a non-local one are those of what is around it,
// which are written.
fn emit_open(begin: u32, node: u32, content: Grow) {
    if node < plan.node_capacity {
        contents[node] = packed(content);
    }
    if (tags[begin] & NON_LOCAL) == 0u {
        bounds[begin] = packed(content);
    }
}

fn emit_span(begin: u32, begin_node: u32, end: u32, end_node: u32, content: Grow) {
    emit_open(begin, begin_node, content);
    if end_node < plan.node_capacity {
        contents[end_node] = packed(content);
    }
    bounds[end] = bounds[begin];
}
