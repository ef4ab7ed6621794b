// As above, of what grows.
fn lane_grow(value: Grow, lane: u32) -> Grow {
    return subgroupShuffle(value, lane);
}
