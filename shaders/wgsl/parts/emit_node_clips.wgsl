// The same where clips alone are wanted, which are the bounds of nodes.
fn emit_down(mine: Mine, flows: Flows) {
    if mine.role != 0u {
        let clip = packed(clip_of(mine, flows.own));
        links[mine.node] = asked_link;
        clips[mine.node] = clip;
        bounds[own_element] = clip;
    }
}
