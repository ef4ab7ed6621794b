// What a scene writes of what flows: boxes of draws, links and clips of nodes. Past the
// capacity of nodes nothing is written.
fn emit_down(mine: Mine, flows: Flows) {
    if mine.role == 0u {
        bounds[mine.item] = packed(rect_canonical(flows.own));
    } else if mine.node < plan.node_capacity {
        links[mine.node] = mine.top;
        clips[mine.node] = packed(clip_of(mine, flows.own));
    }
}

// What an element changes around it: a draw what is visible of it, a non-local blend all
// that is around it.
fn grow_own(mine: Mine, flows: Flows) -> Grow {
    if mine.role == 0u {
        return rect_canonical(flows.own);
    }
    return select(NOTHING, rect_canonical(flows.around), (mine.role & ROLE_NON_LOCAL) != 0u);
}
