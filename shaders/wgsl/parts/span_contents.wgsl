// What a scene writes of nodes that end in another tile. Past the capacity of nodes
// nothing is written.

// Of a begin, its content so far.
fn begin_part(survivor: Survivor) -> Grow {
    if survivor.node < plan.node_capacity {
        return unpacked(contents[survivor.node]);
    }
    return unpacked(bounds[element_of(survivor.begin)]);
}

// Of an end, its bounds.
fn end_part(survivor: Survivor) -> Grow {
    return unpacked(bounds[element_of(survivor.end)]);
}

// The bounds of a non-local one are those of what is around it, which are written.
fn emit_open(survivor: Survivor, content: Grow) {
    if survivor.node < plan.node_capacity {
        contents[survivor.node] = packed(content);
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
