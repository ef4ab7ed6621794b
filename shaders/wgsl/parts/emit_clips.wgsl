// What a scene writes where it wants clips alone: boxes of draws, links and clips of
// nodes, whose clips are their bounds. Past the capacity of nodes nothing is written.
fn emit_down(item: u32, node: u32, role: u32, top: u32, flow: Flow) {
    if role == 0u {
        bounds[item] = packed(flow);
        return;
    }
    let clip = clip_of(role, top, flow);
    bounds[item] = packed(clip);
    if node < plan.node_capacity {
        links[node] = top;
        clips[node] = packed(clip);
    }
}
