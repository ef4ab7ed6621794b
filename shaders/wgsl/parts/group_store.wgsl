// Where `group_load` finds a group, by its number over all tiles.
fn group_store(group: u32, noted: Group) {
    let at = plan.roles + 4u * group;
    words[at] = noted.opens;
    words[at + 1u] = noted.opens | noted.closes;
    words[at + 2u] = noted.non_local;
    words[at + 3u] = noted.nodes_before;
}
