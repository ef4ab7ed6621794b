// bases: what flows under what each tile leaves open, from the root on.
//
// One workgroup a group of WORKGROUP_SIZE tiles, a thread a tile. A tile stands on an element
// of the stack before it: as far below the top as it closes. A tree over the tiles finds which
// one of the group left it open; else it is looked for above. Tiles hand values down to each
// other by pointer jumping: each round doubles how far back a value reaches, so
// log2(WORKGROUP_SIZE) rounds reach the first of the group.
//
//     round 0:   t <- p        round 1:   t <- p <- pp       round 2: four more
//
// Keeps the tree for `outside`; counts the nodes before each tile, if somebody wants to know.

fn kernel(group: u32, thread: u32, subgroup: u32) {
    let filled = level_filled(0u);
    let first = group * WORKGROUP_SIZE;
    if first >= filled {
        return;
    }
    let lanes = lanes_begin(thread, subgroup);
    let tile = first + thread;
    let exists = tile < filled;
    var own = IDENTITY;
    var nodes = 0u;
    if exists {
        own = node_load(0u, tile);
        if COUNTS_NODES {
            nodes = words[node_at(0u, tile) + 2u];
        }
    }
    pool_build(thread, 1u, own);
    for (var node = thread; node < 2u * WORKGROUP_SIZE; node += WORKGROUP_SIZE) {
        if node > 0u {
            let value = block_load(node);
            words[heap_at(group, node)] = value.x;
            words[heap_at(group, node) + 1u] = value.y;
        }
    }
    var stand = Found(NONE, NONE);
    if exists {
        stand = pool_find(thread, own.x);
    }
    if COUNTS_NODES {
        sums_build(thread, subgroup, nodes);
    }
    let outside = outside_above(1u, group, select(NONE, stand.depth, stand.leaf == NONE), thread, lanes);
    if COUNTS_NODES {
        let before = nodes_before_node(1u, group, sibling_count);
        if exists {
            words[node_at(0u, tile) + 5u] = before + sums_before(thread);
        }
        if thread == 0u {
            words[node_at(1u, group) + 5u] = before;
        }
    }
    if thread == 0u {
        words[node_at(1u, group) + 6u] = stack_height;
    }
    var parent = stand.leaf;
    var flow = outside.flow;
    if parent != NONE {
        let other = first + parent;
        flow = flow_load(plan.values + other * TILE + node_load(0u, other).y - 1u - stand.depth);
    }
    // The siblings have been asked, so their words are free for parents.
    for (var reach = 1u; reach < WORKGROUP_SIZE; reach *= 2u) {
        cells[thread] = flow;
        sibling_above[thread] = parent;
        workgroupBarrier();
        if parent != NONE {
            flow = flow_combine(cells[parent], flow);
            parent = sibling_above[parent];
        }
        workgroupBarrier();
    }
    if exists {
        flow_store(node_base(0u, tile), flow);
    }
}
