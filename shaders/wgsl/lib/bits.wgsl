// Words of bits, one bit for each of 32 consecutive elements. The first element is the lowest bit.

// Returns the opens of a word that no close of the word matches. Each round matches every pair with only gaps in between,
// and turns both into gaps. A carry finds the pairs: a one added just above an open runs through the gaps above it to the
// next element that is not a gap. On reversed words, it runs from each close to the element before it. A word of 32
// elements takes at most 16 rounds; a random word takes about 3.
fn unmatched_opens(all_opens: u32, all_closes: u32) -> u32 {
    var opens = all_opens;
    var gaps = ~(all_opens | all_closes);
    var closes_reversed = reverseBits(all_closes);
    var gaps_reversed = reverseBits(gaps);
    loop {
        // A bit that is neither an open nor a gap is a close.
        let matched_closes = ((opens << 1u) + gaps) & ~(opens | gaps);
        let matched_opens_reversed = ((closes_reversed << 1u) + gaps_reversed) & ~(closes_reversed | gaps_reversed);
        if matched_closes == 0u {
            break;
        }
        let matched_opens = reverseBits(matched_opens_reversed);
        let matched_closes_reversed = reverseBits(matched_closes);
        opens &= ~matched_opens;
        gaps |= matched_closes | matched_opens;
        closes_reversed &= ~matched_closes_reversed;
        gaps_reversed |= matched_closes_reversed | matched_opens_reversed;
    }
    return opens;
}

// Returns a word with its `count` lowest bits set; count <= 32.
fn low_ones(count: u32) -> u32 {
    return select((1u << (count & 31u)) - 1u, 0xffffffffu, count == 32u);
}

// Returns the place of the set bit with `skip` set bits above it; 0 if there is none.
fn place_from_top(word: u32, skip: u32) -> u32 {
    var place = 0u;
    for (var step = 16u; step > 0u; step /= 2u) {
        if countOneBits(word >> (place + step)) > skip {
            place += step;
        }
    }
    return place;
}

// Returns the place of the set bit with `skip` set bits below it; `skip` is less than the number of set bits.
fn place_from_bottom(word: u32, skip: u32) -> u32 {
    return place_from_top(word, countOneBits(word) - 1u - skip);
}

// Returns the `count` lowest set bits of a word, or all if there are fewer.
fn lowest_ones(word: u32, count: u32) -> u32 {
    if count >= countOneBits(word) {
        return word;
    }
    return word & ((1u << place_from_bottom(word, count)) - 1u);
}
