// A search begins at the tile; what the threads have of its first window is loaded
// before.

const EARLY = true;

fn early_node(tile: u32, thread: u32) -> Value {
    // Of tile 0 nobody looks.
    let first = max(tile, 1u) - 1u;
    return pyramid_run(0u, parent(first) * fan() + thread * plan.run, tile);
}

fn begin_search(tile: u32, thread: u32, lanes: u32, needed: u32) {
    if thread == 0u {
        search = Search(needed, 0u, tile, 0u);
    }
}
