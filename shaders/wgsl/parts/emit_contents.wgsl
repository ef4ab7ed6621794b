// What a scene writes of what grows: contents of nodes, and their bounds, which of a
// non-local node are all that is around it. Past the capacity of nodes nothing is
// written.

fn emit_up(item: u32, node: u32, role: u32, own: Grow, content: Grow) {
    if node < plan.node_capacity {
        contents[node] = packed(content);
    }
    bounds[item] = packed(select(content, own, (role & ROLE_NON_LOCAL) != 0u));
}

// Of a node that goes on in another tile.
fn emit_part(item: u32, node: u32, role: u32, own: Grow, content: Grow) {
    emit_up(item, node, role, own, content);
}

// An end without a begin.
fn emit_nothing(item: u32, node: u32) {
    emit_up(item, node, 0u, NOTHING, NOTHING);
}
