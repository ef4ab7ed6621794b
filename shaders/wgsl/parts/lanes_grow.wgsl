fn lane_grow(value: Grow, lane: u32) -> Grow {
    return value;
}

fn lane_grow_across(value: Grow, width: u32) -> Grow {
    return value;
}
