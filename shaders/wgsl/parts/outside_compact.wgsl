// Scenes have node indices: their stores keep nobody waiting who searches.

// A tile by some threads, given the nodes before it.
fn outside_compact(tile: u32, before: u32, thread: u32, threads: u32) {
    for (var at = thread; at < TILE; at += threads) {
        compact_at(tile, at, before);
    }
}
