// Where `group_load` finds a group, by its number over all tiles: its opens, its nodes, its non-local opens and how
// many nodes come before it, a word each.
fn group_store(group: u32, noted: Group) {
    let at = plan.roles + 4u * group;
    words[at] = noted.opens;
    words[at + 1u] = noted.opens | noted.closes;
    words[at + 2u] = noted.non_local;
    words[at + 3u] = noted.nodes_before;
}
