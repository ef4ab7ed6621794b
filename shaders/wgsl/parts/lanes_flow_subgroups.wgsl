// What another lane of the chunk has of what flows.
fn lane_flow(value: Flow, lane: u32) -> Flow {
    return select(lane_flow_of_many(value, lane), value, chunk_size == 1u);
}

// The same of a chunk of several lanes.
fn lane_flow_of_many(value: Flow, lane: u32) -> Flow {
    return subgroupShuffle(value, chunk_lane + lane);
}
