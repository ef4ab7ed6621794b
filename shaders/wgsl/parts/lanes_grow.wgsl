fn lane_grow(value: Grow, lane: u32) -> Grow {
    return value;
}
