// What a stream of nodes alone wants of what flows, each at its own place: its link and its clip, which of a draw is
// what is visible of it, and so its content.
fn emit_down(mine: Mine, flows: Flows) {
    let clip = packed(clip_of(mine, flows.own));
    links[mine.item] = mine.top;
    clips[mine.item] = clip;
    if mine.role == 0u {
        contents[mine.item] = clip;
    }
}
