fn span_compact(tile: u32, thread: u32) {}
