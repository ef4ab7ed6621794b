// Nobody wants to know what draws paint.

// The rows of a chunk, four at a time: what they load is long on its way.
fn draw_rows(groups: Groups, rows: u32, first: u32, lane: u32, lanes: u32) {
    for (var number = 0u; number < rows; number += 4u) {
        let one = row_load(groups, number, lane, lanes);
        let two = row_load(groups, number + 1u, lane, lanes);
        let three = row_load(groups, number + 2u, lane, lanes);
        let four = row_load(groups, number + 3u, lane, lanes);
        draw(one, groups, first, lane);
        draw(two, groups, first, lane);
        draw(three, groups, first, lane);
        draw(four, groups, first, lane);
    }
}

fn gaps_end() {}
