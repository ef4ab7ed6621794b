// spine: on what does each tile's stack stand, as far as its group knows?
//
// One workgroup a group of WORKGROUP_SIZE tiles, a thread a tile.
//
//     build the tree over the group's tiles; store its nodes
//     a tile that closes c nodes from before it stands on the node c below the
//     top: an earlier tile's, with the product over that tile's slice up to there
//     settle the products over the group
//     value[tile] = product over the stack under the tile, as far as the group's
//     out[tile]   = how far below the top of the stack before the group it goes on
//
// In the first group it goes on at the root. Also sums the nodes before each tile
// of the group.

fn kernel(group: u32, thread: u32, lanes: u32) {
    let first = group * WORKGROUP_SIZE;
    if first >= tiles_filled() {
        return;
    }
    let tile = first + thread;
    let is_tile = tile < tiles_filled();
    var own = IDENTITY;
    var nodes = 0u;
    if is_tile {
        own = tiles_load(tiles_size() + tile);
        nodes = words[plan.tile_nodes + tile];
    }
    sums_build(thread, lanes, nodes);
    if is_tile {
        words[plan.tile_nodes + tile] = sums_before(thread);
    }
    if thread == WORKGROUP_SIZE - 1u {
        words[plan.group_nodes + group] = sums_before(thread) + nodes;
    }
    block_build(thread, lanes, own);
    store_tree(first, thread);

    let base = block_find(BLOCK_LEAVES, thread, own.x);
    var value = FLOW_IDENTITY;
    if base.leaf != NONE {
        // The leaf's own opens are more than `base.depth`, so the slot is a slice's.
        let held = block[WORKGROUP_SIZE + base.leaf].y;
        let slot = (first + base.leaf) * TILE + held - 1u - base.depth;
        value = boxes[plan.slice_boxes + slot];
    } else if group == 0u {
        value = flow_root();
    }
    workgroupBarrier();
    flow_settle(thread, base.leaf, value);
    // Every chain ends at a tile whose search left the group.
    block[thread] = Value(base.depth, 0u);
    workgroupBarrier();
    if is_tile {
        boxes[plan.tile_values + tile] = flow_settled(thread);
        words[plan.tile_outs + tile] = block[flow_last(thread)].x;
    }
}

// Node `thread` of the block, `up` levels above its leaves, is the node of the tree
// over all tiles as many levels above the tiles. Where the whole tree is smaller
// than a block, its root is a node further down, and what stands over it is not stored.
fn store_tree(first: u32, thread: u32) {
    if thread > 0u {
        let depth = firstLeadingBit(thread);
        let up = firstLeadingBit(WORKGROUP_SIZE) - depth;
        let nodes = tiles_size() >> up;
        let index = (first >> up) + thread - (1u << depth);
        if index < nodes {
            tiles_store(nodes + index, block[thread]);
        }
    }
}
