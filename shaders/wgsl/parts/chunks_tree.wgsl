// What grows in the chunks of a tile, by a tree over them in cells: each is an element.

// What a begin has after it in its chunk, or an end before it, for the other.
fn chunks_keep(mine: Mine, lanes: u32, content: Grow) {}

// That of the other, which is what it adds; of an end, the begin.
fn chunks_kept(lanes: u32, other: u32, is_end: bool) -> Grow {
    if is_end {
        return grow_begin(cells[TILE + other]);
    }
    return cells[TILE + other];
}

// The last lane of each chunk brings what grows in it. All threads together.
fn chunks_build(mine: Mine, lanes: u32, all: Grow) {
    fold_leaf(TILE, mine.at, all);
    workgroupBarrier();
    fold_build(mine.at, TILE);
}

fn chunks_range(lanes: u32, first: u32, end: u32) -> Grow {
    return fold_range(TILE, first, end);
}
