// What a scene writes of what flows: boxes of draws, links and clips of nodes. Past the
// capacity of nodes nothing is written.
fn emit_down(item: u32, node: u32, role: u32, top: u32, flow: Flow) {
    if role == 0u {
        bounds[item] = packed(flow);
    } else if node < plan.node_capacity {
        links[node] = top;
        clips[node] = packed(clip_of(role, top, flow));
    }
}

// What an element changes around it: a draw what is visible of it, a non-local blend all
// that is around it.
fn grow_own(item: u32, role: u32, around: Flow, flow: Flow) -> Grow {
    if role == 0u {
        return flow;
    }
    if (role & (ROLE_OPENS | ROLE_NON_LOCAL)) == (ROLE_OPENS | ROLE_NON_LOCAL) {
        return around;
    }
    return NOTHING;
}
