// Each element of a tile has a slot; one that is no survivor ends where it begins.
fn slots_end(tile: u32) -> u32 {
    return min((tile + 1u) * TILE, element_count());
}

fn slot_element(slot: u32) -> u32 {
    return slot;
}

fn is_survivor(slot: u32, survivor: Survivor) -> bool {
    return survivor.end != slot;
}
