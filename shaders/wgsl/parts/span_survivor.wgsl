// A survivor of a tile, by its slot: where it begins, and where it ends, or NONE.
struct Survivor {
    begin: u32,
    end: u32,
}

// Nobody asks for nodes.
fn nodes_before_tile(tile: u32) -> u32 {
    return 0u;
}

fn survivor_load(slot: u32, nodes: u32) -> Survivor {
    return Survivor(slot_element(slot), words[plan.ends + slot]);
}
