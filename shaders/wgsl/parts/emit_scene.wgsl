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
