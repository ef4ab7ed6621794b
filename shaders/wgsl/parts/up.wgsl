// Values grow up, over what is inside each node.
//
//     each element has what it adds to the nodes around it; lanes multiply those of a chunk
//     in aligned blocks that double: all of them, and a begin those after it, an end those
//     before it with its own
//
//         two blocks of 2     ab ab | cd cd       all
//         make one of 4       b  -  | -  -        after: b, then cd comes to it
//                                     c  cd       before: both, and ab comes to them
//
//     until the next block has both the begin and the end of the node: what is after the begin
//         in the first half, and before the end in the second, is what the node has
//     if no block has: what is after the begin in its chunk, the chunks between, what is before
//         the end in its chunk
//
// What is open before the tile or after it is left in parts, for `span`: a begin has
// the product from it to the end of the tile, an end that from the tile's start.

// Notes where each open ends. A barrier must part it from what stores opens.
fn up_ends(mine: Mine) {
    if (mine.role & ROLE_CLOSES) != 0u {
        if mine.parent != NONE {
            open_ends(mine.parent, mine.at);
        } else if mine.top != NONE {
            words[plan.ends + mine.top_slot] = mine.item;
            if COUNTS_NODES {
                words[plan.end_nodes + mine.top_slot] = mine.node;
            }
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
        other = open_end(mine.at);
    } else if is_end {
        other = mine.parent;
    }
    ends_note(tile, mine, other);
    emit_early(tile, mine, other, leaf);
    // At least TILE where `other` is NONE.
    let apart = other ^ mine.at;
    var all = leaf;
    // What is before an end, or after a begin.
    var content = leaf;
    if !is_end {
        content = grow_begin(leaf);
    }
    // A bit for each width whose next block has a part of it: that before an end, or after a begin, as long as
    // it does not have both.
    let joins = select(~mine.lane, mine.lane, is_end) & ((1u << firstLeadingBit(apart)) - 1u);
    for (var round = 0u; round < firstTrailingBit(lanes); round++) {
        let width = 1u << round;
        let is_second = (mine.lane & width) != 0u;
        let half = lane_grow_across(all, width);
        if (joins & width) != 0u {
            content = grow_ordered(content, half, is_end);
        }
        all = grow_ordered(all, half, is_second);
    }
    let theirs = lane_grow(content, other % lanes);
    if apart < lanes {
        content = grow_ordered(content, theirs, is_end);
    } else if other < TILE {
        chunks_keep(mine, lanes, content);
    }
    chunks_build(mine, lanes, all);
    if mine.role != 0u {
        var is_whole = other < TILE;
        if apart >= lanes {
            // The chunks up to the one with the other, or all.
            let chunk = mine.at / lanes;
            var between = vec2<u32>(chunk + 1u, select(chunks, other / lanes, is_whole));
            if is_end {
                between = vec2<u32>(select(0u, other / lanes + 1u, is_whole), chunk);
            }
            content = grow_ordered(content, chunks_range(lanes, between.x, between.y), is_end);
            if is_whole {
                content = grow_ordered(content, chunks_kept(lanes, other, is_end), is_end);
            }
        }
        // Where there is but one tile, what never ends ends with it.
        is_whole |= !is_end && plan.element_capacity <= TILE;
        if is_end && mine.top == NONE {
            content = grow_identity();
            is_whole = true;
        }
        emit_up(mine, other, content, is_whole);
    }
    if mine.at == 0u {
        unions_store(plan.union_tree_leaves + tile, chunks_range(lanes, 0u, chunks));
    }
}
