// An element of the stack before a tile, which an earlier one left open: NONE where the stack
// is empty; and what flows from it.
struct Outside {
    item: u32,
    flow: Flow,
}
