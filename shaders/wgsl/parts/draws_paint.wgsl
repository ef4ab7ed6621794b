// What the draws of each gap paint.

// The rows of a chunk. All threads together; the next is on its way meanwhile.
fn draw_rows(groups: Groups, rows: u32, first: u32, lane: u32, lanes: u32) {
    var painted = grow_identity();
    var row = row_load(groups, 0u, lane, lanes);
    for (var number = 1u; number <= rows; number++) {
        let next = row_load(groups, number, lane, lanes);
        let drawn = draw(row, groups, first, lane);
        if row.begin == 0u {
            painted = grow_identity();
        }
        painted = paint(drawn, painted, row.nodes >> row.begin, lane, lanes);
        // What follows the last node of a group belongs to the mark of the next.
        let mark = row_entry(row) + countOneBits(row.nodes) - first;
        let is_last = lane == 0u && row.begin + lanes >= 32u;
        if is_last && row.group < groups.end && mark < TILE {
            cells[mark] = painted;
        }
        row = next;
    }
}

// All lanes of a chunk together. What is painted up to each since the last node before it: a scan, which begins
// anew after each of these `nodes`, the first lane's the lowest bit; and after what earlier rows have left. The node
// after a gap stores that in its cell. Gives what is painted after the last.
fn paint(drawn: Drawn, earlier: Grow, nodes: u32, lane: u32, lanes: u32) -> Grow {
    let before = nodes & ((1u << lane) - 1u);
    // The lane after the last of them; 0 where there is none.
    let begin = firstLeadingBit(before) + 1u;
    var all = drawn.box;
    for (var width = 1u; width < lanes; width *= 2u) {
        let other = lane_grow(all, select(lane, lane - width, lane >= width));
        if lane >= begin + width {
            all = grow_combine(other, all);
        }
    }
    if begin == 0u {
        all = grow_combine(earlier, all);
    }
    if drawn.is_node && drawn.at < TILE {
        cells[drawn.at] = all;
    }
    return lane_grow(select(all, grow_identity(), drawn.is_node), lanes - 1u);
}

// All threads together: what is painted is known.
fn gaps_end() {
    workgroupBarrier();
}
