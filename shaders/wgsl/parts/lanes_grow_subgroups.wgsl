// What another lane of the chunk has of what grows.
fn lane_grow(value: Grow, lane: u32) -> Grow {
    return select(subgroupShuffle(value, chunk_lane + lane), value, chunk_size == 1u);
}

// What the lane has whose number differs in one bit, of a chunk of several lanes.
fn lane_grow_across(value: Grow, width: u32) -> Grow {
    return subgroupShuffleXor(value, width);
}
