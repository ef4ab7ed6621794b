// What the draws of each gap paint.

// The groups of a chunk, row by row. All threads together, as many rounds for all. The next row is on its way
// meanwhile.
fn draw_rows(groups: Groups, first: u32, mine: Mine, lanes: u32) {
    var group = groups.first + mine.at / lanes;
    var loaded = draw_load(group, mine.lane, groups);
    for (var round = groups.first; round < groups.end; round += groups.chunks) {
        var painted = grow_identity();
        for (var begin = 0u; begin < 32u; begin += lanes) {
            let is_last = begin + lanes >= 32u;
            let next_group = select(group, group + groups.chunks, is_last);
            let next = draw_load(next_group, select(begin + lanes, 0u, is_last) + mine.lane, groups);
            let drawn = draw(loaded, group, begin + mine.lane, groups, first);
            painted = paint(drawn, painted, loaded.nodes >> begin, mine.lane, lanes);
            // What follows the last node of a group belongs to the mark of the next.
            let mark = loaded.nodes_before + countOneBits(loaded.nodes) + group + 1u - first;
            if is_last && mine.lane == 0u && group < groups.end && mark < TILE {
                cells[mark] = painted;
            }
            loaded = next;
        }
        group += groups.chunks;
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
