// What is known of a survivor of a tile besides its element, in one word: its place among the tile's nodes, of
// which there are fewer than 16 bits count, and its role.

fn survivor_word(rank: u32, role: u32) -> u32 {
    return (role << 16u) | rank;
}

fn survivor_rank(word: u32) -> u32 {
    return word & 0xffffu;
}

fn survivor_role(word: u32) -> u32 {
    return word >> 16u;
}
