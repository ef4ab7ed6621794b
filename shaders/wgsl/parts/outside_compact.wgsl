// Scenes have node indices: their stores keep nobody waiting who searches.

// A tile by some threads, which stand before it. The first tile runs even when it is empty.
fn outside_compact(tile: u32, thread: u32, threads: u32) {
    var before = 0u;
    if tile > 0u {
        before = words[node_at(0u, tile) + 5u];
    }
    for (var at = thread; at < TILE; at += threads) {
        compact_at(tile, at, before);
    }
}
