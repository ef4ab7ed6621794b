// A survivor of a tile, by its slot: where it begins, and where it ends, or NONE; which elements and nodes these are,
// and whether it is local.
struct Survivor {
    end: u32,
    begin_element: u32,
    begin_node: u32,
    end_element: u32,
    end_node: u32,
    is_local: bool,
}

// Entries know their nodes.
fn nodes_before_tile(tile: u32) -> u32 {
    return 0u;
}

// Of no meaning past the survivors of the tile.
fn survivor_load(slot: u32, nodes: u32) -> Survivor {
    let last = element_count() - 1u;
    let begin = min(slot_element(slot), last);
    let end = words[plan.ends + slot];
    let entry = entry_load(begin);
    let end_entry = entry_load(min(end, last));
    var survivor: Survivor;
    survivor.end = end;
    survivor.begin_element = entry_element(entry);
    survivor.begin_node = entry_node(begin, entry);
    survivor.end_element = entry_element(end_entry);
    survivor.end_node = entry_node(end, end_entry);
    survivor.is_local = (entry_role(entry) & ROLE_NON_LOCAL) == 0u;
    return survivor;
}
