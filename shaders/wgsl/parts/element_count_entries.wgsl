// The entries that compaction has made. Never trusted beyond what the buffers hold.
fn element_count() -> u32 {
    let marks = (counts.elements + 31u) / 32u + 1u;
    return min(counts.nodes + marks, plan.element_capacity);
}
