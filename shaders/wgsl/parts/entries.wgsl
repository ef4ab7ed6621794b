// The stream of a scene of few nodes: its nodes, before those of each 32 elements a *mark*, and a mark after all.
//
//     elements   d ( d d ... | d d d ... | ) d d         in groups of 32
//     entries  m   (         m           m )     m
//
// A mark is no node. The *gap* before an entry are the draws between the entry before and itself, which lie in one
// group; so no tile of entries has more draws than 32 for each.
//
// An entry is a word: its element, of which there are fewer than 30 bits count, and what it is. A mark has the first
// element of its group.

fn entry_of(element: u32, role: u32) -> u32 {
    let kind = select(role & (ROLE_OPENS | ROLE_CLOSES), 3u, (role & ROLE_NON_LOCAL) != 0u);
    return (element << 2u) | kind;
}

fn entry_element(entry: u32) -> u32 {
    return entry >> 2u;
}

fn entry_role(entry: u32) -> u32 {
    let kind = entry & 3u;
    return select(kind, ROLE_OPENS | ROLE_NON_LOCAL, kind == 3u);
}

fn entry_is_mark(entry: u32) -> bool {
    return (entry & 3u) == 0u;
}

// The index of a node: as many entries are before it, but for one mark for its group and each before.
fn entry_node(item: u32, entry: u32) -> u32 {
    return item - entry_element(entry) / 32u - 1u;
}
