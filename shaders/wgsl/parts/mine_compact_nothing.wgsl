// Nobody wants node indices.
fn mine_compact(mine: Mine) {}
