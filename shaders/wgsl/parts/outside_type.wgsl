// An element of the stack before a tile, which an earlier one left open: NONE where the stack
// is empty; its slot; what flows from it, and where WANTS_AROUND says so, what flows to it.
struct Outside {
    item: u32,
    slot: u32,
    flow: Flow,
    around: Flow,
}

// What is outside where nothing is.
fn outside_nothing() -> Outside {
    return Outside(NONE, 0u, flow_root(), flow_root());
}
