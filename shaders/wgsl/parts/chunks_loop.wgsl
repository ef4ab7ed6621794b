// What grows in the chunks of a tile, one after the other: with subgroups there are few.

// What a begin has after it in its chunk, or an end before it, for the other.
fn chunks_keep(mine: Mine, content: Grow) {
    cells[TILE + mine.at] = content;
}

// That of the other; of an end, the begin.
fn chunks_kept(lanes: u32, other: u32, is_end: bool) -> Grow {
    return cells[TILE + other];
}

// The last lane of each chunk brings what grows in it. All threads together.
fn chunks_build(mine: Mine, all: Grow) {
    if mine.lane == mine.lanes - 1u {
        cells[mine.at / mine.lanes] = all;
    }
    workgroupBarrier();
}

fn chunks_range(lanes: u32, first: u32, end: u32) -> Grow {
    var all = grow_identity();
    for (var chunk = first; chunk < end; chunk++) {
        all = grow_combine(all, cells[chunk]);
    }
    return all;
}
