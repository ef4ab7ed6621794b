// What flows to an element: what is around it, and with its own value.
struct Flows {
    around: Flow,
    own: Flow,
}

// The open whose value is around the element: its place in the tile, or NONE; then how far below the top
// of the stack before the tile the element's own top is, and what flows from what is around.
struct Beyond {
    at: u32,
    depth: u32,
    flow: Flow,
}
