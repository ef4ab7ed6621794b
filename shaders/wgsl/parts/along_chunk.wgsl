// Products along the lanes of a chunk, each over the `count` before it and itself: all `lane` of them, or
// fewer where a row of lanes has several products one after the other.
fn flow_along_chunk(lane: u32, lanes: u32, count: u32, own: Flow) -> Flow {
    var flow = own;
    for (var width = 1u; width < lanes; width *= 2u) {
        let before = lane_flow(flow, select(lane - width, lane, count < width));
        if count >= width {
            flow = flow_combine(before, flow);
        }
    }
    return flow;
}
