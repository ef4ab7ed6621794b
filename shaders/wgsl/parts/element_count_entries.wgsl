// The entries that compaction has made. Never trusted beyond what the buffers hold.
fn element_count() -> u32 {
    let marks = (counts.elements + SPACING - 1u) / SPACING + 1u;
    return min(counts.nodes + marks, plan.element_capacity);
}
