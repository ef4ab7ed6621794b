// Draws, where nobody wants to know what they paint.

// No row is asked for early.
fn rows_ask(groups: Groups, mine: Mine, lanes: u32) {}

// The groups of a chunk, row by row, four at a time: what they load is long on its way. Past the last group nothing
// is written.
fn draw_rows(groups: Groups, first: u32, mine: Mine, lanes: u32) {
    let chunk = groups.first + mine.at / lanes;
    let rounds = (groups.end - groups.first + groups.chunks - 1u) / groups.chunks;
    for (var row = 0u; row < rounds * (32u / lanes); row += 4u) {
        let at = lanes * (row + vec4<u32>(0u, 1u, 2u, 3u));
        let group = chunk + at / 32u * groups.chunks;
        let place = at % 32u + mine.lane;
        let one = draw_load(group.x, place.x, groups);
        let two = draw_load(group.y, place.y, groups);
        let three = draw_load(group.z, place.z, groups);
        let four = draw_load(group.w, place.w, groups);
        draw(one, group.x, place.x, groups, first);
        draw(two, group.y, place.y, groups, first);
        draw(three, group.z, place.z, groups, first);
        draw(four, group.w, place.w, groups, first);
    }
}
