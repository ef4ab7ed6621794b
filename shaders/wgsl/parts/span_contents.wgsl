// What a scene writes of nodes that end in another tile. Past the capacity of nodes
// nothing is written.

// Of a begin, its content so far.
struct Part {
    content: Grow,
    is_local: bool,
}

fn part_of(begin: u32, node: u32) -> Part {
    let is_local = (tags[element_of(begin)] & NON_LOCAL) == 0u;
    if node < plan.node_capacity {
        return Part(unpacked(contents[node]), is_local);
    }
    return Part(unpacked(bounds[element_of(begin)]), is_local);
}

// Of an end, its bounds.
fn end_part(end: u32) -> Grow {
    return unpacked(bounds[element_of(end)]);
}

// The bounds of a non-local one are those of what is around it, which are written.
fn emit_open(begin: u32, node: u32, part: Part, content: Grow) {
    if node < plan.node_capacity {
        contents[node] = packed(content);
    }
    if part.is_local {
        bounds[element_of(begin)] = packed(content);
    }
}

// The same at its end.
fn emit_end(survivor: Survivor, part: Part, content: Grow) {
    if survivor.end_node < plan.node_capacity {
        contents[survivor.end_node] = packed(content);
    }
    if part.is_local {
        bounds[element_of(survivor.end)] = packed(content);
    } else {
        bounds[element_of(survivor.end)] = bounds[element_of(survivor.begin)];
    }
}
