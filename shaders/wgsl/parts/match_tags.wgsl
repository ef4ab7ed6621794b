// Matching alone, tags in: a word an element, read as vectors of four; the buffer
// is padded to whole ones. `role` says what a tag does.

// Eight bits a vector: its four opens, then its four closes. A role is 1 for an
// open, 2 for a close; 0 and 3 are neither. Past the count, those of the last
// vector below it, for `within_count` to take away: no load waits for a branch.
// Only tiles that begin below the count are read, so there is one.
fn load_roles(vector: u32) -> u32 {
    let tags = tags4[min(vector, (element_count() - 1u) / 4u)];
    let roles = (role(tags.x) & 3u) + (role(tags.y) & 3u) * 0x100u + (role(tags.z) & 3u) * 0x10000u
        + (role(tags.w) & 3u) * 0x1000000u;
    // In each byte, an open is bit 0 and a close bit 4; byte i moves to i bits above
    // bit 24. No two products meet below.
    return (((roles | (roles << 3u)) & 0x11111111u) * 0x01020408u) >> 24u;
}

// The opens (x) and closes (y) of a word from the roles of its vectors, those of the
// even vectors in `roles.x` and of the odd ones in `roles.y`.
fn word_of_roles(roles: vec2<u32>) -> vec2<u32> {
    let low = 0x0f0f0f0fu;
    let first = (roles.x & low) | ((roles.y << 4u) & ~low);
    let second = ((roles.x >> 4u) & low) | (roles.y & ~low);
    return vec2<u32>(first & ~second, second & ~first);
}
