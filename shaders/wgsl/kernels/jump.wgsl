// jump: one round of pointer jumping over the tiles.
//
// One thread a tile. After r rounds a tile's value reaches back over 2^r tiles
// of the chain of its parents; ceil(log2(tiles)) rounds reach the root.
//
//     value'[tile]  = value[parent] then value[tile]
//     parent'[tile] = parent[parent]
//
// Rounds alternate between two copies, so no tile reads what another writes.

fn kernel(group: u32, thread: u32, lanes: u32) {
    let tile = group * WORKGROUP_SIZE + thread;
    if tile >= tiles_filled() {
        return;
    }
    let even = level.nodes % 2u == 0u;
    let parents_from = select(plan.parents_b, plan.parents_a, even);
    let parents_to = select(plan.parents_a, plan.parents_b, even);
    let values_from = select(plan.values_b, plan.values_a, even);
    let values_to = select(plan.values_a, plan.values_b, even);

    var parent = words[parents_from + tile];
    var value = boxes[values_from + tile];
    if parent != NONE {
        value = flow_combine(boxes[values_from + parent], value);
        parent = words[parents_from + parent];
    }
    words[parents_to + tile] = parent;
    boxes[values_to + tile] = value;
}
