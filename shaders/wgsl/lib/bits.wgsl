// Words of bits: consecutive elements, the first the lowest bit.

// The opens that no close of the word takes. Each round takes every pair with nothing but gaps between the two; a pair
// that was taken is a gap from then on. A one added above an open is carried through the gaps above it to what comes next;
// the same of the reversed words brings each close to what comes before. A word of 32 takes at most 16 rounds, and a
// random one 3.
fn unmatched_opens(all_opens: u32, all_closes: u32) -> u32 {
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

// A word whose `count` lowest bits are set; count <= 32.
fn low_ones(count: u32) -> u32 {
    return select((1u << (count & 31u)) - 1u, 0xffffffffu, count == 32u);
}

// The place of the bit that has `skip` set bits above it; 0 where there is none.
fn place_from_top(word: u32, skip: u32) -> u32 {
    var place = 0u;
    for (var step = 16u; step > 0u; step /= 2u) {
        if countOneBits(word >> (place + step)) > skip {
            place += step;
        }
    }
    return place;
}

// The place of the bit that has `skip` set bits below it; `skip` is less than the number of set bits.
fn place_from_bottom(word: u32, skip: u32) -> u32 {
    return place_from_top(word, countOneBits(word) - 1u - skip);
}

// The `count` lowest set bits of a word, or all of fewer.
fn lowest_ones(word: u32, count: u32) -> u32 {
    if count >= countOneBits(word) {
        return word;
    }
    return word & ((1u << place_from_bottom(word, count)) - 1u);
}
