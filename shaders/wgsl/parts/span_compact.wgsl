fn span_compact(tile: u32, thread: u32, nodes: u32) {
    compact_tile(tile, thread, nodes);
}
