// The tree over tiles of items (nodes, or the elements of a stream of
// parentheses): each leaf is what its tile does to the stack.

fn tiles_load(node: u32) -> Value {
    return Value(words[plan.tile_tree + 2u * node], words[plan.tile_tree + 2u * node + 1u]);
}

fn tiles_store(node: u32, value: Value) {
    words[plan.tile_tree + 2u * node] = value.x;
    words[plan.tile_tree + 2u * node + 1u] = value.y;
}

fn tiles_size() -> u32 {
    return plan.tile_tree_leaves;
}

fn tiles_filled() -> u32 {
    return tiles_around(item_count());
}
