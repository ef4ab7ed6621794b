// Between the two passes, bits of three kinds stand for a thread's elements; the
// first words of a tile's threads lie together, then the second.

fn keep_items(tile: u32, thread: u32, items: Items, left_open: vec2<u32>) {
    // tile < tiles of the capacity, so there is room for the tile's words.
    let at = tile * WORDS * WORKGROUP_SIZE + thread;
    words[plan.opens + at] = items.opens.x;
    words[plan.closes + at] = items.closes.x;
    words[plan.unmatched + at] = left_open.x;
    if WORDS > 1u {
        words[plan.opens + at + WORKGROUP_SIZE] = items.opens.y;
        words[plan.closes + at + WORKGROUP_SIZE] = items.closes.y;
        words[plan.unmatched + at + WORKGROUP_SIZE] = left_open.y;
    }
}

fn kept_items(tile: u32, thread: u32, lanes: u32) -> Items {
    return Items(kept_words(plan.opens, tile, thread), kept_words(plan.closes, tile, thread));
}

fn kept_unmatched(tile: u32, thread: u32, items: Items) -> vec2<u32> {
    return kept_words(plan.unmatched, tile, thread);
}

fn kept_words(kind: u32, tile: u32, thread: u32) -> vec2<u32> {
    let at = kind + tile * WORDS * WORKGROUP_SIZE + thread;
    if WORDS == 1u {
        return vec2<u32>(words[at], 0u);
    }
    return vec2<u32>(words[at], words[at + WORKGROUP_SIZE]);
}
