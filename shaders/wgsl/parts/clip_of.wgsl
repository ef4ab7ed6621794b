// A begin's clip is what flows from it, an end's what flowed from its begin.
fn clip_of(mine: Mine, flow: Flow) -> Flow {
    let is_lost = (mine.role & ROLE_CLOSES) != 0u && mine.top == NONE;
    return select(rect_canonical(flow), NOTHING, is_lost);
}
