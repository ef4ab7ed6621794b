// The group of the tile's element `at`, which `group_store` wrote.
fn group_load(tile: u32, at: u32) -> Group {
    return group_at(tile * GROUPS + at / 32u);
}

// The same by its number, over all tiles.
fn group_at(group: u32) -> Group {
    let at = plan.roles + 4u * group;
    return Group(words[at], words[at + 1u], words[at + 2u], words[at + 3u]);
}
