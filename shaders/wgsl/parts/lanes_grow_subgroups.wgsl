// What another lane of the chunk has of what grows.
fn lane_grow(value: Grow, lane: u32) -> Grow {
    return select(subgroupShuffle(value, chunk_lane + lane), value, chunk_size == 1u);
}
