// Values from other lanes: without subgroups there is but one.

fn lane_word(value: u32, lane: u32) -> u32 {
    return value;
}

fn lane_flow(value: Flow, lane: u32) -> Flow {
    return value;
}
