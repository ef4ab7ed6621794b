// Scenes have node indices. The first tile runs even when it is empty.
fn span_compact(tile: u32, thread: u32) {
    if tile < tiles_filled() {
        compact_tile(tile, thread, words[plan.tile_nodes + tile]);
    } else if tile == 0u {
        compact_tile(0u, thread, 0u);
    }
}
