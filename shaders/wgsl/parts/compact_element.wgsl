// Stores node indices; at the last element, or where there is none the first, the counts. A node
// is `node`; what is none has as many before it.

fn compact_element(item: u32, node: u32, is_node: bool) {
    if item < element_count() {
        nodes_before[item] = min(node, plan.node_capacity);
        // Nodes past the capacity are left out; `counts` says so.
        if is_node && node < plan.node_capacity {
            node_elements[node] = item;
        }
        if item + 1u == element_count() {
            counts_store(node + u32(is_node));
        }
    }
    if element_count() == 0u && item == 0u {
        counts_store(0u);
    }
}
