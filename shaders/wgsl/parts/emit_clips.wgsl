// What a scene writes where it wants clips alone: boxes of draws, links and clips of
// nodes, whose clips are their bounds. Past the capacity of nodes nothing is written.
fn emit_down(mine: Mine, flows: Flows) {
    let clip = packed(clip_of(mine, flows.own));
    bounds[mine.item] = clip;
    if mine.role != 0u && mine.node < plan.node_capacity {
        links[mine.node] = mine.top;
        clips[mine.node] = clip;
    }
}
