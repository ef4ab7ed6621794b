// What the draws of each gap paint.

// A row of a group, after what its earlier rows have left: gives what is painted since its last node.
fn paint_row(
    loaded: Loaded, group: u32, begin: u32, groups: Groups, first: u32, lane: u32, lanes: u32, earlier: Grow,
) -> Grow {
    let place = begin + lane;
    let drawn = draw(loaded, group, place, groups, first);
    var all = paint(drawn, loaded.nodes >> begin, lane, lanes);
    // A group of more rows than one.
    if lanes < 32u && begin > 0u && ((loaded.nodes >> begin) & ((1u << lane) - 1u)) == 0u {
        all = grow_combine(earlier, all);
    }
    if drawn.is_own && drawn.is_node {
        cells[drawn.at] = all;
    }
    let left = select(all, grow_identity(), drawn.is_node);
    // What follows the last node of a group belongs to the mark of the next, which may be the tile's first entry.
    let mark = drawn.at + u32(drawn.is_node);
    if place == 31u && group < groups.end && mark < TILE {
        cells[mark] = left;
    }
    if lanes < 32u {
        return lane_grow(left, lanes - 1u);
    }
    return left;
}

// All lanes of a chunk together. What is painted up to each since the last node before it, in its row: a scan,
// which begins anew after each of these `nodes`, the first lane's the lowest bit. Where it would reach further, it meets
// the first lane since once more: of a union that changes nothing.
fn paint(drawn: Drawn, nodes: u32, lane: u32, lanes: u32) -> Grow {
    let before = nodes & ((1u << lane) - 1u);
    // The lane after that node, or the first.
    let since = i32(firstLeadingBit(before) + 1u);
    var all = drawn.box;
    for (var round = 0u; round < firstTrailingBit(lanes); round++) {
        let other = max(i32(lane) - (1i << round), since);
        all = grow_combine(lane_grow(all, u32(other)), all);
    }
    return all;
}

// All threads together: what is painted is known. Before the first mark is nothing, and no group says so.
fn gaps_end(mine: Mine) {
    if mine.item == 0u {
        cells[0] = grow_identity();
    }
    workgroupBarrier();
}
