// Matching alone, a bitmap in: one bit an element, the first the lowest of the
// first word; a set bit opens, a clear one closes.

fn input_items(tile: u32, thread: u32, lanes: u32) -> Items {
    let first = tile * TILE + thread * PER_THREAD;
    let count = element_count();
    if first >= count {
        return Items(0u, 0u);
    }
    // The buffer holds a bit for every element below the count.
    let word = first / 32u;
    var opens = bits_in[word] >> (first % 32u);
    if first % 32u + PER_THREAD > 32u && (word + 1u) * 32u < count {
        opens |= bits_in[word + 1u] << (32u - first % 32u);
    }
    opens &= ALL_BITS;
    return within_count(Items(opens, opens ^ ALL_BITS), first);
}
