// What compaction has found.
fn counts_store(nodes: u32) {
    counts.elements = element_count();
    counts.nodes = min(nodes, plan.node_capacity);
    counts.status = select(0u, STATUS_ELEMENTS_CLAMPED, params.elements > plan.element_capacity)
        | select(0u, STATUS_NODES_CLAMPED, nodes > plan.node_capacity);
    counts.nodes_needed = nodes;
}
