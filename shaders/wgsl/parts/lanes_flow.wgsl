fn lane_flow(value: Flow, lane: u32) -> Flow {
    return value;
}
