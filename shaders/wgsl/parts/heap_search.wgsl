// The search of search.wgsl, in the tree of the group whose tile is asked for.

var<private> heap_group: u32;

fn block_leaves() -> u32 {
    return WORKGROUP_SIZE;
}

fn block_load(node: u32) -> Value {
    let at = heap_at(heap_group, node);
    return Value(words[at], words[at + 1u]);
}
