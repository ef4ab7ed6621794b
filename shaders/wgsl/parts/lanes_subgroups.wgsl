// Values from other lanes of the subgroup, all of which ask together.

fn lane_word(value: u32, lane: u32) -> u32 {
    return subgroupShuffle(value, lane);
}

fn lane_flow(value: Flow, lane: u32) -> Flow {
    return subgroupShuffle(value, lane);
}
