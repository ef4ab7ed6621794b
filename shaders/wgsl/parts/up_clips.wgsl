// Nothing grows up: clips are the bounds of nodes, which are written after those of the draws between.

fn up_ends(mine: Mine) {}

fn up(tile: u32, mine: Mine, lanes: u32, flows: Flows) {
    if mine.role != 0u {
        emit_bounds(mine, clip_of(mine, flows.own));
    }
}
