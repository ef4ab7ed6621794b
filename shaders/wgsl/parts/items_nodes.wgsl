// Items are the nodes that compaction found.

fn item_count() -> u32 {
    return min(counts.nodes, plan.node_capacity);
}

fn item_tag(item: u32) -> u32 {
    return words[plan.node_tags + item];
}
