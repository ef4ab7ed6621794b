// A begin's clip is what flows from it, an end's what flowed from its begin.
fn clip_of(mine: Mine, flow: Flow) -> Flow {
    return select(flow, NOTHING, (mine.role & ROLE_CLOSES) != 0u && mine.top == NONE);
}
