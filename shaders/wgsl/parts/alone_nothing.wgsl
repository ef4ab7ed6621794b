// Nobody wants node indices.
fn alone_compact(mine: Mine) {}
