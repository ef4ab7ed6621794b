// across: on which tile of an earlier group does each tile's stack stand?
//
// One thread a tile; a workgroup has the tiles of a group. Runs where there is more
// than one group, when the tree over all tiles stands.
//
//     find the node out[tile] below the top of the stack before the group
//     value[tile] = the product over that tile's slice up to it, then value[tile]
//     up[tile]    = that tile, or NONE at the root
//
// Also adds the nodes of all groups before.

fn kernel(group: u32, thread: u32, lanes: u32) {
    let first = group * WORKGROUP_SIZE;
    if first >= tiles_filled() {
        return;
    }
    var earlier = 0u;
    for (var other = thread; other < group; other += WORKGROUP_SIZE) {
        earlier += words[plan.group_nodes + other];
    }
    sums_build(thread, lanes, earlier);
    if thread == WORKGROUP_SIZE - 1u {
        nodes_before_group = sums_before(thread) + earlier;
    }
    let before = workgroupUniformLoad(&nodes_before_group);
    let tile = first + thread;
    if tile >= tiles_filled() {
        return;
    }
    words[plan.tile_nodes + tile] += before;
    var up = NONE;
    if group > 0u {
        var value = flow_root();
        let found = tiles_find(tiles_size(), first, words[plan.tile_outs + tile]);
        if found.leaf != NONE {
            up = found.leaf;
            value = boxes[plan.slice_boxes + slice_slot(found)];
        }
        boxes[plan.tile_values + tile] = flow_combine(value, boxes[plan.tile_values + tile]);
    }
    words[plan.tile_ups + tile] = up;
}

var<workgroup> nodes_before_group: u32;
