// Matching alone, a bitmap in: one bit an element, the first the lowest of the
// first word; a set bit opens, a clear one closes.

fn input_items(tile: u32, thread: u32, lanes: u32) -> Items {
    let first = tile * TILE + thread * PER_THREAD;
    var opens = vec2<u32>(bits_from(first), 0u);
    var all = vec2<u32>(ALL_BITS, 0u);
    if WORDS > 1u {
        opens.y = bits_from(first + PER_WORD);
        all.y = ALL_BITS;
    }
    return within_count(Items(opens, opens ^ all), first);
}

// PER_WORD bits; the buffer holds a bit for every element below the count.
fn bits_from(first: u32) -> u32 {
    let count = element_count();
    let word = first / 32u;
    var bits = 0u;
    if first < count {
        bits = bits_in[word] >> (first % 32u);
    }
    if first % 32u + PER_WORD > 32u && (word + 1u) * 32u < count {
        bits |= bits_in[word + 1u] << (32u - first % 32u);
    }
    return bits & ALL_BITS;
}
