// Draws, where the tiles are large and workgroup memory leaves room for few of them side by side: registers are free.

// No row is asked for early.
fn rows_ask(groups: Groups, mine: Mine, lanes: u32) {}

// The groups of a chunk, row by row, two at a time; the next two are on their way meanwhile. All threads together, as
// many rounds for all; past the last group nothing is written.
fn draw_rows(groups: Groups, first: u32, mine: Mine, lanes: u32) {
    let chunk = groups.first + mine.at / lanes;
    let rounds = (groups.end - groups.first + groups.chunks - 1u) / groups.chunks;
    var one = draw_load(chunk, mine.lane, groups);
    var two = draw_load(chunk + lanes / 32u * groups.chunks, lanes % 32u + mine.lane, groups);
    var painted = grow_identity();
    for (var row = 0u; row < rounds * (32u / lanes); row += 2u) {
        let at = lanes * (row + vec4<u32>(0u, 1u, 2u, 3u));
        let group = chunk + at / 32u * groups.chunks;
        let begin = at % 32u;
        let three = draw_load(group.z, begin.z + mine.lane, groups);
        let four = draw_load(group.w, begin.w + mine.lane, groups);
        painted = paint_row(one, group.x, begin.x, groups, first, mine.lane, lanes, painted);
        painted = paint_row(two, group.y, begin.y, groups, first, mine.lane, lanes, painted);
        one = three;
        two = four;
    }
}
