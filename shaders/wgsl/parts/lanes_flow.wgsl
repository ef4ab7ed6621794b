fn lane_flow(value: Flow, lane: u32) -> Flow {
    return value;
}

fn lane_flow_of_many(value: Flow, lane: u32) -> Flow {
    return value;
}
