// Of the tiles after a tile there are no more than threads: a thread asks for one. Each workgroup has a tile.

// What the thread-th tile after this one has: a load that range_build waits for.
fn range_load(tile: u32, thread: u32) -> Grow {
    let later = tile + 1u + thread;
    if later < tiles_filled() {
        return unions_load(plan.union_tree_leaves + later);
    }
    return grow_identity();
}

// All threads together.
fn range_build(tile: u32, thread: u32, lanes: u32, leaf: Grow) {
    later_build(tile, tiles_filled(), thread, lanes, leaf);
}

// The product over the tiles after this one, up to `end`.
fn range_of(tile: u32, end: u32) -> Grow {
    return later_of(tile, end);
}
