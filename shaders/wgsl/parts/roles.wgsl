// The roles of a tile's elements, gathered as bits.
//
// Valid after: roles_note in every thread, a barrier.

// Bits of opens, closes and non-local opens, for each group of 32 elements.
var<workgroup> masks: array<atomic<u32>, 3u * GROUPS>;

// All threads together, each for its element.
fn roles_note(thread: u32, lanes: u32, role: u32) {
    roles_clear(thread, lanes);
    let group = thread / 32u;
    let opens = lane_ballot((role & ROLE_OPENS) != 0u);
    let closes = lane_ballot((role & ROLE_CLOSES) != 0u);
    let non_local = lane_ballot((role & ROLE_NON_LOCAL) != 0u);
    if lanes < 32u {
        if thread % lanes == 0u {
            atomicOr(&masks[3u * group], opens << (thread % 32u));
            atomicOr(&masks[3u * group + 1u], closes << (thread % 32u));
            atomicOr(&masks[3u * group + 2u], non_local << (thread % 32u));
        }
    } else if thread % 32u == 0u {
        atomicStore(&masks[3u * group], opens);
        atomicStore(&masks[3u * group + 1u], closes);
        atomicStore(&masks[3u * group + 2u], non_local);
    }
}

// All threads together, before anybody adds bits.
fn roles_clear(thread: u32, lanes: u32) {
    // A chunk may be a part of a group.
    if lanes < 32u {
        for (var i = thread; i < 3u * GROUPS; i += WORKGROUP_SIZE) {
            atomicStore(&masks[i], 0u);
        }
        workgroupBarrier();
    }
}

// A group, without the nodes before it.
fn group_noted(group: u32) -> Group {
    let opens = atomicLoad(&masks[3u * group]);
    let closes = atomicLoad(&masks[3u * group + 1u]);
    return Group(opens, closes, atomicLoad(&masks[3u * group + 2u]), 0u);
}

fn nodes_in(group: u32) -> u32 {
    let noted = group_noted(group);
    return noted.opens | noted.closes;
}

// The nodes of the tile's first groups.
fn nodes_before_group(group: u32) -> u32 {
    var nodes = 0u;
    for (var earlier = 0u; earlier < group; earlier++) {
        nodes += countOneBits(nodes_in(earlier));
    }
    return nodes;
}

// The nodes of the tile before its element `at`.
fn rank_noted(at: u32) -> u32 {
    let earlier = (1u << (at % 32u)) - 1u;
    return nodes_before_group(at / 32u) + countOneBits(nodes_in(at / 32u) & earlier);
}

// As `group_load` wants them, with the nodes before each group if somebody `counts` them.
fn roles_store(tile: u32, thread: u32, counts: bool) {
    if thread < GROUPS {
        var nodes = 0u;
        if counts {
            nodes = nodes_before_group(thread);
        }
        role_group_store(tile, thread, nodes);
    }
}

// One group, with as many nodes of the tile before it.
fn role_group_store(tile: u32, group: u32, nodes: u32) {
    var noted = group_noted(group);
    noted.nodes_before = nodes;
    group_store(tile * GROUPS + group, noted);
}
