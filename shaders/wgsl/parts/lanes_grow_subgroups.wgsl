// What another lane of the chunk has of what grows.
fn lane_grow(value: Grow, lane: u32) -> Grow {
    if chunk_size == 1u {
        return value;
    }
    return subgroupShuffle(value, chunk_lane + lane);
}
