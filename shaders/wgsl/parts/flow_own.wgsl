// What the open `item` adds to what flows through it: its rect.
fn flow_own(item: u32) -> Flow {
    return rects[item];
}
