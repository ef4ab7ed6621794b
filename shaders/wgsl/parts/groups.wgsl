// Groups of GROUP_TILES tiles, where no more of them are there than a workgroup has threads.
//
// A group has GROUP_WORDS words: its closes, opens and nodes; and a row, for each of its tiles how many elements of what the
// group leaves open are held by it or lie above, 16 bits each. The product of a tile, node_below, is what flows under
// what the tile holds of that, from the group's first element on.

fn group_words(group: u32) -> u32 {
    return plan.groups + GROUP_WORDS * group;
}

fn group_sum_store(group: u32, sum: NodeSum) {
    let at = group_words(group);
    words[at] = sum.value.x;
    words[at + 1u] = sum.value.y;
    words[at + 2u] = sum.nodes;
}

fn group_load_value(group: u32) -> Value {
    let at = group_words(group);
    return Value(words[at], words[at + 1u]);
}

// The ends of two tiles of the row, the pair-th.
fn group_row(group: u32, pair: u32) -> u32 {
    return group_words(group) + 3u + pair;
}
