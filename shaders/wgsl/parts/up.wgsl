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
//     else: what is after the begin in its chunk, the chunks between by a tree over chunks
//         in workgroup memory, what is before the end in its chunk
//
// What is open before the tile or after it is left in parts, for `span`: a begin has
// the product from it to the end of the tile, an end that from the tile's start.

// Of each open, its end in the tile, or TILE.
var<workgroup> ends: array<u32, TILE>;
// What each of the thread's elements adds.
var<private> leaves: array<Grow, PER_THREAD>;

fn up_leaf(j: u32, item: u32, role: u32, around: Flow, flow: Flow) {
    leaves[j] = grow_own(item, role, around, flow);
}

fn up_clear(at: u32) {
    ends[at] = TILE;
}

// Notes where each open ends. A barrier must part it from up_clear.
fn up_ends(thread: u32, mine: ptr<function, Mine>) {
    for (var j = 0u; j < PER_THREAD; j++) {
        if ((*mine).role[j] & ROLE_CLOSES) != 0u {
            let at = thread + j * WORKGROUP_SIZE;
            let top = (*mine).top[j];
            if top - (*mine).first < TILE {
                ends[top - (*mine).first] = at;
            } else if top != NONE {
                words[plan.ends + top] = (*mine).first + at;
                words[plan.end_nodes + top] = (*mine).node[j];
            }
        }
    }
}

fn up(tile: u32, thread: u32, mine: ptr<function, Mine>) {
    let lanes = (*mine).lanes;
    let lane = (*mine).lane;
    let chunks = TILE / lanes;
    workgroupBarrier();
    // The other end of each node, past every tile where there is none in this one.
    var other: array<u32, PER_THREAD>;
    // What is before an end, or after a begin, in the half of a block or in the chunk.
    var part: array<Grow, PER_THREAD>;
    var before: array<Grow, PER_THREAD>;
    var after: array<Grow, PER_THREAD>;
    for (var j = 0u; j < PER_THREAD; j++) {
        let at = thread + j * WORKGROUP_SIZE;
        let role = (*mine).role[j];
        other[j] = NONE;
        if (role & ROLE_OPENS) != 0u {
            other[j] = ends[at];
        }
        if (role & ROLE_CLOSES) != 0u {
            other[j] = (*mine).top[j] - (*mine).first;
        }
        if at >= (*mine).held {
            leaves[j] = grow_identity();
        }
        before[j] = leaves[j];
        after[j] = grow_begin(leaves[j]);
        part[j] = grow_identity();
    }
    for (var width = 1u; width < lanes; width *= 2u) {
        let is_second = (lane & width) != 0u;
        let block = lane & ~(2u * width - 1u);
        // The last lane of the other half, which has all of it.
        let last = block + select(2u * width, width, is_second) - 1u;
        for (var j = 0u; j < PER_THREAD; j++) {
            let apart = other[j] ^ (thread + j * WORKGROUP_SIZE);
            if apart >= width && apart < 2u * width {
                part[j] = grow_select(after[j], before[j], is_second);
            }
            let half = lane_grow(before[j], last);
            if is_second {
                before[j] = grow_combine(half, before[j]);
            } else {
                after[j] = grow_combine(after[j], half);
            }
        }
    }
    for (var j = 0u; j < PER_THREAD; j++) {
        let at = thread + j * WORKGROUP_SIZE;
        let role = (*mine).role[j];
        let is_end = (role & ROLE_CLOSES) != 0u;
        let apart = other[j] ^ at;
        if apart >= lanes {
            part[j] = grow_select(after[j], before[j], is_end);
            if other[j] < TILE && lanes > 1u {
                cells[2u * chunks + at] = part[j];
            }
        }
        let theirs = lane_grow(part[j], other[j] % lanes);
        if apart < lanes {
            part[j] = grow_ordered(part[j], theirs, is_end);
        }
        if lane == lanes - 1u {
            fold_leaf(chunks, at / lanes, before[j]);
        }
    }
    workgroupBarrier();
    fold_build(thread, chunks);
    for (var j = 0u; j < PER_THREAD; j++) {
        let at = thread + j * WORKGROUP_SIZE;
        let role = (*mine).role[j];
        if role != 0u {
            let is_end = (role & ROLE_CLOSES) != 0u;
            let chunk = at / lanes;
            var is_whole = other[j] < TILE;
            var content = part[j];
            if is_whole && (other[j] ^ at) >= lanes {
                let theirs = other[j] / lanes;
                let between = fold_range(chunks, min(chunk, theirs) + 1u, max(chunk, theirs));
                content = grow_ordered(content, between, is_end);
                if lanes > 1u {
                    content = grow_ordered(content, cells[2u * chunks + other[j]], is_end);
                } else if is_end {
                    content = grow_combine(grow_begin(cells[chunks + theirs]), content);
                }
            } else if !is_whole {
                let rest = select(vec2<u32>(chunk + 1u, chunks), vec2<u32>(0u, chunk), is_end);
                content = grow_ordered(content, fold_range(chunks, rest.x, rest.y), is_end);
                // Where there is but one tile, what never ends ends with it.
                is_whole = !is_end && plan.element_capacity <= TILE;
            }
            let item = (*mine).first + at;
            let node = (*mine).node[j];
            if is_end && (*mine).top[j] == NONE {
                emit_nothing(item, node);
            } else if is_whole {
                emit_up(tile, item, other[j], role, node, leaves[j], content);
            } else {
                emit_part(item, node, role, leaves[j], content);
            }
        }
    }
    if thread == 0u {
        unions_store(plan.union_tree_leaves + tile, cells[1]);
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
