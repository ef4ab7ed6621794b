// What flows to an element: what is around it, where `wants_around` says so, and with its own
// value.
struct Flows {
    around: Flow,
    own: Flow,
}

// The open whose value is around the element: its place in the tile, or NONE, and what flows
// from it where it is in another.
struct Beyond {
    at: u32,
    flow: Flow,
}
