// How many nodes come before a tile of those that `count` has counted: `scan` knows.
fn counted_before(first: u32, tile: u32, thread: u32) -> u32 {
    return words[plan.tile_nodes + tile];
}
