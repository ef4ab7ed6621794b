// What grows in the chunks of a tile, one after the other: with subgroups there are few.
//
// Cells keep, for each element, what chunks_keep is given; then what grows in each chunk. A
// chunk of one element has nothing to keep.

// What a begin has after it in its chunk, or an end before it, for the other.
fn chunks_keep(mine: Mine, lanes: u32, content: Grow) {
    if lanes > 1u {
        cells[mine.at] = content;
    }
}

// That of the other; of an end, the begin. Where a chunk is one element, what that adds.
fn chunks_kept(lanes: u32, other: u32, is_end: bool) -> Grow {
    if lanes == 1u && is_end {
        return grow_begin(cells[other]);
    }
    return cells[other];
}

fn chunk_cell(lanes: u32, chunk: u32) -> u32 {
    return select(TILE, 0u, lanes == 1u) + chunk;
}

// The last lane of each chunk brings what grows in it. All threads together.
fn chunks_build(mine: Mine, lanes: u32, all: Grow) {
    if mine.lane == lanes - 1u {
        cells[chunk_cell(lanes, mine.at / lanes)] = all;
    }
    workgroupBarrier();
}

fn chunks_range(lanes: u32, first: u32, end: u32) -> Grow {
    var all = grow_identity();
    for (var chunk = first; chunk < end; chunk++) {
        all = grow_combine(all, cells[chunk_cell(lanes, chunk)]);
    }
    return all;
}
