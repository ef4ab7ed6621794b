// The slots of a tile that hold a survivor are its first.
fn slots_end(tile: u32) -> u32 {
    return tile * TILE + node_load(0u, tile).y;
}

// Where the survivor in a slot begins.
fn slot_element(slot: u32) -> u32 {
    return words[plan.slices + slot];
}

fn is_survivor(slot: u32, survivor: Survivor) -> bool {
    return true;
}
