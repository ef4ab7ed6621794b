// Consecutive elements as the bits of words, opens and closes, the first element the lowest bit.

// The opens that no close of the same word takes. Each round takes every pair with nothing but gaps between;
// a pair that was taken is a gap. A one added above an open is carried through the gaps above it to what
// comes next; the same of the reversed word brings a close to what comes before. Neither waits for the other.
fn word_unmatched(all_opens: u32, all_closes: u32) -> u32 {
    var opens = all_opens;
    var gaps = ~(all_opens | all_closes);
    var closes_reversed = reverseBits(all_closes);
    var gaps_reversed = reverseBits(gaps);
    loop {
        // What is neither an open nor a gap is a close.
        let taken = ((opens << 1u) + gaps) & ~(opens | gaps);
        let takers_reversed = ((closes_reversed << 1u) + gaps_reversed) & ~(closes_reversed | gaps_reversed);
        if taken == 0u {
            break;
        }
        let takers = reverseBits(takers_reversed);
        let taken_reversed = reverseBits(taken);
        opens &= ~takers;
        gaps |= taken | takers;
        closes_reversed &= ~taken_reversed;
        gaps_reversed |= taken_reversed | takers_reversed;
    }
    return opens;
}

// The `count` lowest bits of a mask, or all of fewer.
fn lowest_bits(mask: u32, count: u32) -> u32 {
    if count >= countOneBits(mask) {
        return mask;
    }
    return mask & ((1u << bit_from_bottom(mask, count)) - 1u);
}
