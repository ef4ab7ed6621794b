// What the draws of each gap paint.

// A row of a group, after what its earlier rows have left: gives what is painted since its last node.
fn paint_row(
    loaded: Loaded, group: u32, begin: u32, groups: Groups, first: u32, lane: u32, lanes: u32, earlier: Grow,
) -> Grow {
    let drawn = draw(loaded, group, begin + lane, groups, first);
    let so_far = select(earlier, grow_identity(), begin == 0u);
    let painted = paint(drawn, so_far, loaded.nodes >> begin, lane, lanes);
    // What follows the last node of a group belongs to the mark of the next.
    let mark = loaded.nodes_before + countOneBits(loaded.nodes) + group + 1u - first;
    if lane == 0u && begin + lanes >= 32u && group < groups.end && mark < TILE {
        cells[mark] = painted;
    }
    return painted;
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

// All threads together: what is painted is known. Before the first mark is nothing, and no group says so.
fn gaps_end(mine: Mine) {
    if mine.item == 0u {
        cells[0] = grow_identity();
    }
    workgroupBarrier();
}
