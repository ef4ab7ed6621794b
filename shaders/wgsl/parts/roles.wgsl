// The roles of a tile's elements, gathered from the tags as bits.
//
// Valid after: roles_clear, a barrier, roles_note for every element, a barrier.

// Bits of opens, closes, non-local opens and survivors, for each group of 32 elements.
var<workgroup> masks: array<atomic<u32>, 4u * GROUPS>;

fn roles_clear(thread: u32) {
    if thread < GROUPS {
        for (var i = 0u; i < 4u; i++) {
            atomicStore(&masks[4u * thread + i], 0u);
        }
    }
}

// The role of an element; none past the last.
fn role_read(item: u32) -> u32 {
    if item >= element_count() {
        return 0u;
    }
    let tag = tags[item];
    if closes(tag) {
        return ROLE_CLOSES;
    }
    if !opens(tag) {
        return 0u;
    }
    return ROLE_OPENS | select(0u, ROLE_NON_LOCAL, (tag & NON_LOCAL) != 0u);
}

// All threads call it together, each for its element `at` of the tile.
fn roles_note(at: u32, lanes: u32, role: u32) {
    bits_note(4u * (at / 32u), at, lanes, (role & ROLE_OPENS) != 0u);
    bits_note(4u * (at / 32u) + 1u, at, lanes, (role & ROLE_CLOSES) != 0u);
    bits_note(4u * (at / 32u) + 2u, at, lanes, (role & ROLE_NON_LOCAL) != 0u);
}

fn nodes_in(group: u32) -> u32 {
    return countOneBits(atomicLoad(&masks[4u * group]) | atomicLoad(&masks[4u * group + 1u]));
}

// The nodes of the tile's first groups.
fn nodes_before_group(group: u32) -> u32 {
    var nodes = 0u;
    for (var earlier = 0u; earlier < group; earlier++) {
        nodes += nodes_in(earlier);
    }
    return nodes;
}

// As `group_load` wants them.
fn roles_store(tile: u32, thread: u32) {
    if thread < GROUPS {
        let slot = plan.roles + 4u * (tile * GROUPS + thread);
        words[slot] = atomicLoad(&masks[4u * thread]);
        words[slot + 1u] = atomicLoad(&masks[4u * thread + 1u]);
        words[slot + 2u] = atomicLoad(&masks[4u * thread + 2u]);
        words[slot + 3u] = nodes_before_group(thread);
    }
}
