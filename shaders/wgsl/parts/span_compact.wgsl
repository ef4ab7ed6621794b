// Scenes have node indices; a workgroup has one tile. The first tile runs even when it is empty.
fn span_compact(tile: u32, thread: u32) {
    if tile < tiles_filled() {
        compact_at(tile, thread, words[plan.tile_nodes + tile]);
    } else if tile == 0u {
        compact_at(0u, thread, 0u);
    }
}
