// A group by its number over all tiles, as one vector; `compact_nodes` has counted all nodes before it.
fn group_at(group: u32) -> Group {
    let words = words4[plan.roles / 4u + group];
    return Group(words.x, words.y, words.z, words.w);
}
