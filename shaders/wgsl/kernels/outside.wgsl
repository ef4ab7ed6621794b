// outside: the elements of other tiles on the stack before each tile, as far down as it looks.
//
// As many threads a tile as a group of elements has, so several tiles a workgroup; a thread an
// element of the stack, from the top, one for each close of the tile that is not its own and
// one below.
//
//     which tile of the group left it open? by the tree over them (heap.wgsl)
//     else: which earlier group? by its row; which group of groups? ...
//     out[depth] = the slot of the element, and what flows from it
//
// For scenes it also compacts the nodes out of all elements.
//
// Reads 8 bytes for each node of a tree on the way and two products, and writes 4 bytes and a product for each
// such element.

const THREADS = min(WORKGROUP_SIZE, 32u);

fn kernel(group: u32, thread: u32, lanes: u32) {
    let tile = group * (WORKGROUP_SIZE / THREADS) + thread / THREADS;
    if tile >= max(tiles_filled(), 1u) {
        return;
    }
    var before = 0u;
    if COUNTS_NODES && tile > 0u {
        before = words[node_at(0u, tile) + 5u];
    }
    outside_compact(tile, before, thread % THREADS, THREADS);
    if tile >= tiles_filled() {
        return;
    }
    let closes = node_load(0u, tile).x;
    // Before an element are fewer closes than TILE.
    let last = min(closes, TILE - 1u);
    for (var depth = thread % THREADS; depth <= last; depth += THREADS) {
        let slot = slot_of(tile, depth);
        words[plan.outs + tile * TILE + depth] = slot;
        // `bases` knows what flows from the last.
        if depth < closes {
            flow_store(out_at(tile, closes, depth), slot_flow(slot));
        }
    }
}

// What flows from the element in a slot, from the root on.
fn slot_flow(slot: u32) -> Flow {
    if slot == NONE {
        return flow_root();
    }
    return flow_combine(flow_load(node_base(0u, slot / TILE)), flow_load(plan.values + slot));
}

// The slot of the element `depth` below the top of the stack before a tile, or NONE.
fn slot_of(tile: u32, depth: u32) -> u32 {
    let group = tile / WORKGROUP_SIZE;
    heap_group = group;
    let found = block_find(tile % WORKGROUP_SIZE, depth);
    if found.leaf != NONE {
        let other = group * WORKGROUP_SIZE + found.leaf;
        return other * TILE + node_load(0u, other).y - 1u - found.depth;
    }
    var left = found.depth;
    if left >= words[node_at(1u, group) + 6u] {
        return NONE;
    }
    var own = group;
    for (var level = 1u; level <= level_top(); level++) {
        let at = node_at(level, own);
        if left < words[at + 8u] {
            return slot_among(level, own, left);
        }
        left = left - words[at + 8u] + words[at + 7u];
        own /= WORKGROUP_SIZE;
    }
    return NONE;
}

// The same, of what the earlier siblings of a node leave; there is one.
fn slot_among(level: u32, node: u32, depth: u32) -> u32 {
    let row = row_at(level, node);
    let sibling = first_at_most(row, 1u, node % WORKGROUP_SIZE - 1u, depth);
    // What is above the sibling before begins where this one ends.
    var above = words[node_at(level, node) + 8u];
    if sibling > 0u {
        above = words[row + sibling - 1u];
    }
    var rank = above - 1u - depth;
    var at = node - node % WORKGROUP_SIZE + sibling;
    for (var high_level = level; high_level > 0u; high_level--) {
        let inside = node_load(high_level, at).y - 1u - rank;
        at = child_of(high_level, at, inside);
        rank = rank_in_child(high_level, at, inside);
    }
    return at * TILE + rank;
}
