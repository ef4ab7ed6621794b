// Each thread loads its own elements, vector by vector: one word, for where a thread
// has two, the first pass has two threads (see PAIRED).

fn direct_items(tile: u32, thread: u32) -> Items {
    let first = tile * TILE + thread * PER_THREAD;
    let word = direct_word(first);
    return within_count(Items(vec2<u32>(word.x, 0u), vec2<u32>(word.y, 0u)), first);
}

fn direct_word(first: u32) -> vec2<u32> {
    var roles = vec2<u32>(0u);
    for (var i = 0u; i < PER_WORD / 4u; i++) {
        let four = load_roles(first / 4u + i) << (8u * (i / 2u));
        if i % 2u == 0u {
            roles.x |= four;
        } else {
            roles.y |= four;
        }
    }
    return word_of_roles(roles);
}
