// Between the two passes, a word stands for a thread's elements, at most 16: the
// bits of its opens, and above them those of its closes. Which it leaves open is
// found again.

fn keep_items(tile: u32, thread: u32, items: Items, left_open: vec2<u32>) {
    // tile < tiles of the capacity, so there is room for the tile's words.
    words[plan.opens + tile * WORKGROUP_SIZE + thread] = items.opens.x | (items.closes.x << 16u);
}

fn kept_items(tile: u32, thread: u32, lanes: u32) -> Items {
    let kept = words[plan.opens + tile * WORKGROUP_SIZE + thread];
    return Items(vec2<u32>(kept & 0xffffu, 0u), vec2<u32>(kept >> 16u, 0u));
}

fn kept_unmatched(tile: u32, thread: u32, items: Items) -> vec2<u32> {
    return unmatched_opens(items);
}
