// What another lane of the chunk has of what flows.
fn lane_flow(value: Flow, lane: u32) -> Flow {
    return select(lane_flow_of_many(value, lane), value, chunk_size == 1u);
}

// The same of a chunk of several lanes.
fn lane_flow_of_many(value: Flow, lane: u32) -> Flow {
    return subgroupShuffle(value, chunk_lane + lane);
}

// What the lane `distance` before has, of a chunk of several lanes; of no meaning where there is none.
fn lane_flow_before(value: Flow, distance: u32) -> Flow {
    return subgroupShuffleUp(value, distance);
}
