// Draws, where many workgroups run side by side, of which the registers decide how many.

// The first row of the thread's chunk: it is on its way while values flow.
var<private> asked_row: Loaded;

fn rows_ask(groups: Groups, mine: Mine, lanes: u32) {
    asked_row = draw_load(groups.first + mine.at / lanes, mine.lane, groups);
}

// The groups of a chunk, row by row; the next row is on its way meanwhile. All threads together, as many rounds for
// all; past the last group nothing is written.
fn draw_rows(groups: Groups, first: u32, mine: Mine, lanes: u32) {
    var group = groups.first + mine.at / lanes;
    var loaded = asked_row;
    for (var round = groups.first; round < groups.end; round += groups.chunks) {
        var painted = grow_identity();
        for (var begin = 0u; begin < 32u; begin += lanes) {
            let is_last = begin + lanes >= 32u;
            let next_group = select(group, group + groups.chunks, is_last);
            let next = draw_load(next_group, select(begin + lanes, 0u, is_last) + mine.lane, groups);
            painted = paint_row(loaded, group, begin, groups, first, mine.lane, lanes, painted);
            loaded = next;
        }
        group += groups.chunks;
    }
}
