// The same where clips alone are wanted.
fn emit_down(mine: Mine, flows: Flows) {
    links[mine.item] = mine.top;
    clips[mine.item] = packed(clip_of(mine, flows.own));
}
