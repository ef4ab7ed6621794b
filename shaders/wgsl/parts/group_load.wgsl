// The group of the tile's element `at`, which `group_store` wrote.
fn group_load(tile: u32, at: u32) -> Group {
    return group_at(tile * GROUPS + at / 32u);
}

// The same by its number, over all tiles.
fn group_at(group: u32) -> Group {
    let at = plan.roles + 4u * group;
    let opens = words[at];
    return Group(opens, words[at + 1u] & ~opens, words[at + 2u], words[at + 3u]);
}

// Its nodes as bits, and how many come before them.
struct GroupNodes {
    nodes: u32,
    before: u32,
}

fn group_nodes_at(group: u32) -> GroupNodes {
    let at = plan.roles + 4u * group;
    return GroupNodes(words[at + 1u], words[at + 3u]);
}
