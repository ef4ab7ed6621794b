// What a scene writes of nodes that end in another tile. Past the capacity of nodes
// nothing is written.

// Of a begin, its content so far.
fn begin_part(begin: u32, node: u32) -> Grow {
    if node < plan.node_capacity {
        return unpacked(contents[node]);
    }
    return unpacked(bounds[element_of(begin)]);
}

// Of an end, its bounds.
fn end_part(end: u32) -> Grow {
    return unpacked(bounds[element_of(end)]);
}

// The bounds of a non-local one are those of what is around it, which are written.
fn emit_open(survivor: Survivor, node: u32, content: Grow) {
    if node < plan.node_capacity {
        contents[node] = packed(content);
    }
    if survivor.is_local {
        bounds[element_of(survivor.begin)] = packed(content);
    }
}

// The same at its end.
fn emit_end(survivor: Survivor, content: Grow) {
    if survivor.end_node < plan.node_capacity {
        contents[survivor.end_node] = packed(content);
    }
    if survivor.is_local {
        bounds[element_of(survivor.end)] = packed(content);
    } else {
        bounds[element_of(survivor.end)] = bounds[element_of(survivor.begin)];
    }
}
