// The tree over the tiles of elements: each leaf is the union of what its elements
// change.

fn unions_load(node: u32) -> vec4<f32> {
    return boxes[plan.union_tree + node];
}

fn unions_store(node: u32, value: vec4<f32>) {
    boxes[plan.union_tree + node] = value;
}

fn unions_size() -> u32 {
    return plan.union_tree_leaves;
}

fn unions_filled() -> u32 {
    return tiles_filled();
}
