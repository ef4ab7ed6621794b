// What a scene writes where it wants blends alone: links of nodes, and boxes of draws as
// they are. Past the capacity of nodes nothing is written.
fn emit_down(item: u32, node: u32, role: u32, top: u32, flow: Flow) {
    if role == 0u {
        bounds[item] = packed(rect_of(item));
    } else if node < plan.node_capacity {
        links[node] = top;
    }
}

// What an element changes around it: a draw its box, a non-local blend everything.
fn grow_own(item: u32, role: u32, around: Flow, flow: Flow) -> Grow {
    if role == 0u {
        return rect_of(item);
    }
    if (role & (ROLE_OPENS | ROLE_NON_LOCAL)) == (ROLE_OPENS | ROLE_NON_LOCAL) {
        return params.viewport;
    }
    return NOTHING;
}
