// What few nodes want of what flows: links and clips.
fn emit_down(mine: Mine, flows: Flows) {
    if mine.role != 0u {
        links[mine.node] = asked_link;
        clips[mine.node] = packed(clip_of(mine, flows.own));
    }
}
