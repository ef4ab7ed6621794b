// Nobody wants node indices.
fn outside_compact(tile: u32, before: u32, thread: u32, threads: u32) {}
