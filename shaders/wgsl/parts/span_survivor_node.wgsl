// A survivor of a tile, by its slot: where it begins, and where it ends, or NONE; which nodes these are, and whether it
// is local.
struct Survivor {
    begin: u32,
    end: u32,
    node: u32,
    end_node: u32,
    is_local: bool,
}

// The nodes before a tile.
fn nodes_before_tile(tile: u32) -> u32 {
    return words[plan.tile_nodes + tile];
}

fn survivor_load(slot: u32, nodes: u32) -> Survivor {
    let known = words[plan.slice_nodes + slot];
    var survivor: Survivor;
    survivor.begin = slot_element(slot);
    survivor.end = words[plan.ends + slot];
    survivor.node = nodes + survivor_rank(known);
    survivor.end_node = words[plan.end_nodes + slot];
    survivor.is_local = (survivor_role(known) & ROLE_NON_LOCAL) == 0u;
    return survivor;
}
