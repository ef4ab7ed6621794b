// Scenes have node indices; a workgroup has one tile.
fn span_compact(tile: u32, thread: u32) {
    compact_tile(tile, thread);
}
