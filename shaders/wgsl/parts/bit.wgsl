// A bit of a word by how many others lie on one side of it.

// The place of the bit that has `skip` others above it; 0 where there is none.
fn bit_from_top(word: u32, skip: u32) -> u32 {
    var place = 0u;
    for (var step = 16u; step > 0u; step /= 2u) {
        if countOneBits(word >> (place + step)) > skip {
            place += step;
        }
    }
    return place;
}

// The same from below.
fn bit_from_bottom(word: u32, skip: u32) -> u32 {
    return bit_from_top(word, countOneBits(word) - 1u - skip);
}
