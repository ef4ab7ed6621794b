// The tree over the tiles, each leaf the product over a tile of what grows up; of bundles the leaves alone.

fn unions_load(node: u32) -> Grow {
    return products[plan.union_tree + node];
}

fn unions_store(node: u32, value: Grow) {
    products[plan.union_tree + node] = value;
}
