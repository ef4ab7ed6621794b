// Between the two passes, 32 bits of three kinds a thread stand for its elements.

fn keep_items(tile: u32, thread: u32, items: Items, left_open: u32) {
    // tile < tiles of the capacity, so there is room for the tile's words.
    let at = tile * WORKGROUP_SIZE + thread;
    words[plan.opens + at] = items.opens;
    words[plan.closes + at] = items.closes;
    words[plan.unmatched + at] = left_open;
}

fn kept_items(tile: u32, thread: u32, lanes: u32) -> Items {
    let at = tile * WORKGROUP_SIZE + thread;
    return Items(words[plan.opens + at], words[plan.closes + at]);
}

fn kept_unmatched(tile: u32, thread: u32, items: Items) -> u32 {
    return words[plan.unmatched + tile * WORKGROUP_SIZE + thread];
}
