// A begin's clip is what flows from it, an end's what flowed from its begin.
fn clip_of(role: u32, top: u32, around: Flow, flow: Flow) -> Flow {
    if (role & ROLE_CLOSES) == 0u {
        return flow;
    }
    return select(around, NOTHING, top == NONE);
}
