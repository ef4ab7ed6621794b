// The tree over tiles of elements whose leaves count nodes, as (0, count).

fn counts_load(node: u32) -> Value {
    return Value(words[plan.count_tree + 2u * node], words[plan.count_tree + 2u * node + 1u]);
}

fn counts_store(node: u32, value: Value) {
    words[plan.count_tree + 2u * node] = value.x;
    words[plan.count_tree + 2u * node + 1u] = value.y;
}

fn counts_size() -> u32 {
    return plan.count_tree_leaves;
}

// One at least: an empty stream counts its nodes too.
fn counts_filled() -> u32 {
    return max(tiles_around(element_count()), 1u);
}
