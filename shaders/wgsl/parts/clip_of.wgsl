// A begin's clip is what flows from it, an end's what flowed from its begin.
fn clip_of(role: u32, top: u32, flow: Flow) -> Flow {
    return select(flow, NOTHING, (role & ROLE_CLOSES) != 0u && top == NONE);
}
