// An element of the stack before a tile, which an earlier one left open.
struct Outside {
    // The element, or NONE where the stack is empty; and what flows from it.
    item: u32,
    flow: Flow,
    // How many nodes of the stream come before the tile; of `outside_above`, how many those
    // of its siblings are.
    nodes: u32,
}
