// Between the two passes, bits of three kinds stand for a thread's elements, word
// after word. Where the second pass has two words a thread and the first but one,
// two threads of the first go together (PAIRED): what the later of them closes of
// the earlier's is no more kept as unmatched.

fn keep_items(tile: u32, thread: u32, items: Items, left_open: vec2<u32>) {
    // tile < tiles of the capacity, so there is room for the tile's words.
    let at = (tile * WORKGROUP_SIZE + thread) * WORDS;
    var unmatched = left_open.x;
    if PAIRED > 0u && thread % 2u == 0u {
        let held = block[BLOCK_LEAVES + thread].y;
        unmatched = lowest_bits(unmatched, held - min(held, block[BLOCK_LEAVES + thread + 1u].x));
    }
    words[plan.opens + at] = items.opens.x;
    words[plan.closes + at] = items.closes.x;
    words[plan.unmatched + at] = unmatched;
    if WORDS > 1u {
        words[plan.opens + at + 1u] = items.opens.y;
        words[plan.closes + at + 1u] = items.closes.y;
        words[plan.unmatched + at + 1u] = left_open.y;
    }
}

fn kept_items(tile: u32, thread: u32, lanes: u32) -> Items {
    return Items(kept_words(plan.opens, tile, thread), kept_words(plan.closes, tile, thread));
}

fn kept_unmatched(tile: u32, thread: u32, items: Items) -> vec2<u32> {
    return kept_words(plan.unmatched, tile, thread);
}

fn kept_words(kind: u32, tile: u32, thread: u32) -> vec2<u32> {
    let at = kind + (tile * WORKGROUP_SIZE + thread) * WORDS;
    if WORDS == 1u {
        return vec2<u32>(words[at], 0u);
    }
    return vec2<u32>(words[at], words[at + 1u]);
}
