// Products along the lanes of a chunk, each over those before it and itself.
fn flow_along_chunk(lane: u32, lanes: u32, own: Flow) -> Flow {
    var flow = own;
    for (var width = 1u; width < lanes; width *= 2u) {
        let before = lane_flow(flow, select(lane - width, lane, lane < width));
        if lane >= width {
            flow = flow_combine(before, flow);
        }
    }
    return flow;
}
