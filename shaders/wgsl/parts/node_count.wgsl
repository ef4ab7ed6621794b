// Never trusted beyond what the buffers hold.
fn node_count() -> u32 {
    return min(counts.nodes, plan.node_capacity);
}
