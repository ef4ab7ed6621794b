// Values grow up, over what is inside each node.
//
//     each element has what it adds to the nodes around it; lanes multiply those of a chunk
//     in aligned blocks that double, each lane what is before it and what is after it:
//
//         block of 4      a [ab | c cd]       before, with itself: from the block's start
//                         [bcd  cd | d] -     after: to the block's end
//
//     a node that lies in a chunk: in the smallest block with both its begin and its end,
//         what is after the begin in the first half, what is before the end in the second
//     else: what is after the begin in its chunk, the chunks between, what is before the
//         end in its chunk
//
// What is open before the tile or after it is left in parts, for `span`: a begin has
// the product from it to the end of the tile, an end that from the tile's start.

// Where the pool keeps each open's end in the tile, or NONE.
fn end_at(at: u32) -> u32 {
    return TILE + at;
}

fn up_clear(at: u32) {
    pool[end_at(at)] = NONE;
}

// Notes where each open ends. A barrier must part it from up_clear.
fn up_ends(mine: Mine) {
    if (mine.role & ROLE_CLOSES) != 0u {
        if mine.parent != NONE {
            pool[end_at(mine.parent)] = mine.at;
        } else if mine.top != NONE {
            words[plan.ends + mine.top_slot] = mine.item;
            words[plan.end_nodes + mine.top_slot] = mine.node;
        }
    }
}

fn up(tile: u32, mine: Mine, lanes: u32, flows: Flows) {
    let chunks = TILE / lanes;
    let is_end = (mine.role & ROLE_CLOSES) != 0u;
    var leaf = grow_identity();
    if mine.exists {
        leaf = grow_own(mine, flows);
    }
    workgroupBarrier();
    // The other end of the node, NONE where there is none in the tile.
    var other = NONE;
    if (mine.role & ROLE_OPENS) != 0u {
        other = pool[end_at(mine.at)];
    } else if is_end {
        other = mine.parent;
    }
    // At least TILE where `other` is NONE.
    let apart = other ^ mine.at;
    var before = leaf;
    var after = grow_begin(leaf);
    // What is before an end, or after a begin: in the half of a block, then in more.
    var content = grow_identity();
    for (var width = 1u; width < lanes; width *= 2u) {
        let is_second = (mine.lane & width) != 0u;
        if apart >= width && apart < 2u * width {
            content = grow_select(after, before, is_second);
        }
        // The last lane of the other half has all of it.
        let block = mine.lane & ~(2u * width - 1u);
        let half = lane_grow(before, block + select(2u * width, width, is_second) - 1u);
        if is_second {
            before = grow_combine(half, before);
        } else {
            after = grow_combine(after, half);
        }
    }
    let theirs = lane_grow(content, other % lanes);
    if apart < lanes {
        content = grow_ordered(content, theirs, is_end);
    } else {
        content = grow_select(after, before, is_end);
        if other < TILE {
            chunks_keep(mine, lanes, content);
        }
    }
    chunks_build(mine, lanes, before);
    if mine.role != 0u {
        let chunk = mine.at / lanes;
        var is_whole = other < TILE;
        if is_whole && apart >= lanes {
            let end = other / lanes;
            let between = chunks_range(lanes, min(chunk, end) + 1u, max(chunk, end));
            content = grow_ordered(content, between, is_end);
            content = grow_ordered(content, chunks_kept(lanes, other, is_end), is_end);
        } else if !is_whole {
            let rest = select(vec2<u32>(chunk + 1u, chunks), vec2<u32>(0u, chunk), is_end);
            content = grow_ordered(content, chunks_range(lanes, rest.x, rest.y), is_end);
            // Where there is but one tile, what never ends ends with it.
            is_whole = !is_end && plan.element_capacity <= TILE;
        }
        if is_end && mine.top == NONE {
            emit_nothing(mine);
        } else if is_whole {
            emit_up(tile, mine, other, leaf, content);
        } else {
            emit_part(mine, leaf, content);
        }
    }
    if mine.at == 0u {
        unions_store(plan.union_tree_leaves + tile, chunks_range(lanes, 0u, chunks));
    }
}

// The product of what an end has with what is before it, or a begin with what is after.
fn grow_ordered(own: Grow, others: Grow, is_end: bool) -> Grow {
    if is_end {
        return grow_combine(others, own);
    }
    return grow_combine(own, others);
}

fn grow_select(a: Grow, b: Grow, take_b: bool) -> Grow {
    if take_b {
        return b;
    }
    return a;
}
