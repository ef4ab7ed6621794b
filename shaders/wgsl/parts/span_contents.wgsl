// What a scene writes of nodes that end in another tile. Past the capacity of nodes
// nothing is written.

// Of a begin, its content so far.
struct Part {
    content: Grow,
    is_local: bool,
}

fn part_of(begin: u32, node: u32) -> Part {
    let is_local = (tags[begin] & NON_LOCAL) == 0u;
    if node < plan.node_capacity {
        return Part(unpacked(contents[node]), is_local);
    }
    return Part(unpacked(bounds[begin]), is_local);
}

// Of an end, its bounds.
fn end_part(end: u32) -> Grow {
    return unpacked(bounds[end]);
}

// A node without an end. The bounds of a non-local one are those of what is around it,
// which are written.
fn emit_open(survivor: Survivor, content: Grow) {
    if survivor.node < plan.node_capacity {
        contents[survivor.node] = packed(content);
    }
    if survivor.part.is_local {
        bounds[survivor.begin] = packed(content);
    }
}

fn emit_span(survivor: Survivor, content: Grow) {
    emit_open(survivor, content);
    if survivor.end_node < plan.node_capacity {
        contents[survivor.end_node] = packed(content);
    }
    if survivor.part.is_local {
        bounds[survivor.end] = packed(content);
    } else {
        bounds[survivor.end] = bounds[survivor.begin];
    }
}
