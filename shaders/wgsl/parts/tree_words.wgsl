// A tree of bicyclic elements in the scratch words, two words a node, in heap
// layout. Instantiated for each such tree: `plan.heap_tree` is where it lies, and
// `node` is below twice the number of its leaves, as many as were laid out.

fn heap_load(node: u32) -> Value {
    let at = plan.heap_tree + 2u * node;
    return Value(words[at], words[at + 1u]);
}

fn heap_store(node: u32, value: Value) {
    let at = plan.heap_tree + 2u * node;
    words[at] = value.x;
    words[at + 1u] = value.y;
}

fn heap_size() -> u32 {
    return plan.heap_tree_leaves;
}
