// What a scene writes on the way up: contents of nodes, and their bounds.
//
// Past the capacity of nodes nothing is written, and what is read is unspecified.

// The content of a node, at its begin and its end.
fn emit_content(begin: u32, begin_node: u32, end: u32, end_node: u32, content: Grow) {
    emit_part(begin_node, content);
    emit_part(end_node, content);
    if (tags[begin] & NON_LOCAL) == 0u {
        bounds[begin] = content;
        bounds[end] = content;
    } else {
        bounds[end] = bounds[begin];
    }
}

// Of a node that goes on elsewhere: what has changed in it here.
fn emit_part(node: u32, part: Grow) {
    if node < plan.node_capacity {
        contents[node] = part;
    }
}

fn part_of(node: u32) -> Grow {
    return contents[min(node, max(plan.node_capacity, 1u) - 1u)];
}
