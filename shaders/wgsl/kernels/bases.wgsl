// bases: the product over everything under each tile's stack.
//
// One thread a tile. Where `up` names a tile, its product goes on there, and that
// tile lies in an earlier group: there are at most as many steps as groups.
//
//     base[tile] = ... value[up[up[tile]]] value[up[tile]] value[tile]

fn kernel(group: u32, thread: u32, lanes: u32) {
    let tile = group * WORKGROUP_SIZE + thread;
    if tile >= tiles_filled() {
        return;
    }
    var product = boxes[plan.tile_values + tile];
    for (var up = words[plan.tile_ups + tile]; up != NONE; up = words[plan.tile_ups + up]) {
        product = flow_combine(boxes[plan.tile_values + up], product);
    }
    boxes[plan.tile_bases + tile] = product;
}
