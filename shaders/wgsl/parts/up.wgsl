// Values grow up, over what is inside each node.
//
//     leaf of each element = what it adds to the nodes around it; build a tree of
//     products over the leaves
//     node: the product over the leaves between its begin and its end
//
// What is open before the tile or after it is left in parts, for `span`: a begin has
// the product from it to the end of the tile, an end that from the tile's start.

fn up_leaf(at: u32, item: u32, role: u32, around: Flow, flow: Flow) {
    fold_leaf(at, grow_own(item, role, around, flow));
    // For now, nothing ends in this tile.
    others[at] = TILE;
}

// A place past the last element.
fn up_past(at: u32) {
    fold_leaf(at, grow_identity());
}

fn up(tile: u32, thread: u32, mine: ptr<function, Mine>) {
    workgroupBarrier();
    for (var j = 0u; j < PER_THREAD; j++) {
        let at = thread + j * WORKGROUP_SIZE;
        if ((*mine).role[j] & ROLE_CLOSES) != 0u {
            let top = (*mine).top[j];
            let begin = top - (*mine).first;
            if begin < TILE {
                others[begin] = at;
            } else if top != NONE {
                words[plan.ends + top] = (*mine).first + at;
                words[plan.end_nodes + top] = (*mine).nodes + rank_of(at);
            }
        }
    }
    fold_build(thread);
    for (var j = 0u; j < PER_THREAD; j++) {
        let at = thread + j * WORKGROUP_SIZE;
        let role = (*mine).role[j];
        if role != 0u {
            let top = (*mine).top[j];
            // Of an open to its end or the tile's; of a close from its begin or the
            // tile's. `begin` is past the tile where the begin is not in it.
            var begin = at;
            var first = at + 1u;
            var end = others[at];
            // Where there is but one tile, what never ends ends with it.
            var is_whole = end < TILE || plan.element_capacity <= TILE;
            var begin_role = role;
            if (role & ROLE_CLOSES) != 0u {
                begin = top - (*mine).first;
                first = 0u;
                end = at;
                is_whole = begin < TILE;
                if is_whole {
                    first = begin + 1u;
                    begin_role = role_of(begin);
                }
            }
            let item = (*mine).first + at;
            let node = (*mine).nodes + rank_of(at);
            if begin >= TILE && top == NONE {
                emit_nothing(item, node);
            } else {
                let content = fold_range(first, end);
                if is_whole {
                    emit_up(item, node, begin_role, cells[FOLD_LEAVES + begin], content);
                } else {
                    emit_part(item, node, role, cells[FOLD_LEAVES + at], content);
                }
            }
        }
    }
    if thread == 0u {
        unions_store(plan.union_tree_leaves + tile, cells[1]);
    }
}
