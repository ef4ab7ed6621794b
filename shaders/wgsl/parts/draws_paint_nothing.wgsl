// Nobody wants to know what draws paint.
fn gaps_end(mine: Mine) {}
