// Nothing grows.

// The box of a node is its clip, which is written.
fn draws_node(item: u32, node: u32) {
    bounds[item] = clips[node];
}

fn gap_is_one(first: u32, last: u32) -> bool {
    return false;
}

fn draws_note(row: array<Element, 2>, is_one_gap: bool, thread: u32, lanes: u32) {}
