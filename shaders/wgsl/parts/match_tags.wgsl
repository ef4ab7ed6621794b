// Matching alone, tags in: a word an element, read as vectors of four; the buffer
// is padded to whole ones. `role` says what a tag does.

// Two bits an element: the roles of a vector. Past the count, those of the last
// vector below it, for `within_count` to take away: no load waits for a branch.
// Only tiles that begin below the count are read, so there is one.
fn load_roles(vector: u32) -> u32 {
    let tags = tags4[min(vector, (element_count() - 1u) / 4u)];
    return (role(tags.x) & 3u) | ((role(tags.y) & 3u) << 2u) | ((role(tags.z) & 3u) << 4u)
        | ((role(tags.w) & 3u) << 6u);
}

// The opens (x) and closes (y) of a word from the roles of its elements, 16 in
// `roles.x` and 16 in `roles.y`. A role is 1 for an open, 2 for a close; 0 and 3 are
// neither.
fn word_of_roles(roles: vec2<u32>) -> vec2<u32> {
    let second = roles >> vec2<u32>(1u);
    let opens = every_other_bit(roles & ~second);
    let closes = every_other_bit(second & ~roles);
    return vec2<u32>(opens.x | (opens.y << 16u), closes.x | (closes.y << 16u));
}

// Bits 0, 2, 4 ... moved together, for both words.
fn every_other_bit(words: vec2<u32>) -> vec2<u32> {
    var bits = words & vec2<u32>(0x55555555u);
    bits = (bits | (bits >> vec2<u32>(1u))) & vec2<u32>(0x33333333u);
    bits = (bits | (bits >> vec2<u32>(2u))) & vec2<u32>(0x0f0f0f0fu);
    bits = (bits | (bits >> vec2<u32>(4u))) & vec2<u32>(0x00ff00ffu);
    return (bits | (bits >> vec2<u32>(8u))) & vec2<u32>(0x0000ffffu);
}
