// What another lane of the chunk has of what flows.
fn lane_flow(value: Flow, lane: u32) -> Flow {
    if chunk_size == 1u {
        return value;
    }
    return subgroupShuffle(value, chunk_lane + lane);
}
