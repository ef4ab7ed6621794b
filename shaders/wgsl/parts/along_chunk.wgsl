// Products along the lanes of a chunk, each over the `count` before it and itself: all `lane` of them, or
// fewer where a row of lanes has several products one after the other.
fn flow_along_chunk(lane: u32, lanes: u32, count: u32, own: Flow) -> Flow {
    var flow = own;
    for (var round = 0u; round < firstTrailingBit(lanes); round++) {
        let width = 1u << round;
        // A lane that has nobody so far before it asks itself: a rect met twice is the same.
        let before = lane_flow_of_many(flow, select(lane - width, lane, count < width));
        flow = flow_combine(before, flow);
    }
    return flow;
}
