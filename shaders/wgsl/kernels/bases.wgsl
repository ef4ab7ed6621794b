// bases: the product of everything under each tile's survivors.
//
// One thread a tile; a workgroup has the tiles of a group. Where `out` names a tile, the
// product goes on under that one, which lies in an earlier group: there are fewer steps
// than groups.
//
//     base[tile] = ... value[out[out[tile]]] value[out[tile]] value[tile]
//
// Also adds the nodes of all groups before.

var<workgroup> nodes_before_group: u32;

fn kernel(group: u32, thread: u32, lanes: u32) {
    if group * WORKGROUP_SIZE >= tiles_filled() {
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
    let tile = group * WORKGROUP_SIZE + thread;
    if tile >= tiles_filled() {
        return;
    }
    words[plan.tile_nodes + tile] += before;
    var product = flow_load(plan.tile_values + tile);
    for (var out = words[plan.tile_outs + tile]; out != NONE; out = words[plan.tile_outs + out]) {
        product = flow_combine(flow_load(plan.tile_values + out), product);
    }
    flow_store(plan.tile_bases + tile, product);
}
