// The stream is the nodes of another, which compaction has counted, and one element more that is
// none: for what is painted after the last.
fn element_count() -> u32 {
    return node_count() + 1u;
}
