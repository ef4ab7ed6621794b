// Each thread loads its own elements, vector by vector.

fn direct_items(tile: u32, thread: u32) -> Items {
    let first = tile * TILE + thread * PER_THREAD;
    let low = direct_word(first);
    var high = vec2<u32>(0u);
    if WORDS > 1u {
        high = direct_word(first + PER_WORD);
    }
    return within_count(Items(vec2<u32>(low.x, high.x), vec2<u32>(low.y, high.y)), first);
}

fn direct_word(first: u32) -> vec2<u32> {
    var roles = vec2<u32>(0u);
    for (var i = 0u; i < PER_WORD / 4u; i++) {
        let four = load_roles(first / 4u + i) << (8u * (i % 4u));
        if i < 4u {
            roles.x |= four;
        } else {
            roles.y |= four;
        }
    }
    return word_of_roles(roles);
}
