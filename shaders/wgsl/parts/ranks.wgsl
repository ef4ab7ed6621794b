// The roles of 32 consecutive elements of a tile, as bits, and their place among its nodes.

const ROLE_OPENS = 1u;
const ROLE_CLOSES = 2u;
const ROLE_NON_LOCAL = 4u;

// Such groups in a tile; the last may be short.
const GROUPS = (TILE + 31u) / 32u;

struct Group {
    opens: u32,
    closes: u32,
    // Of the opens.
    non_local: u32,
    // Nodes of the tile before the group; where nodes are few and counted, of all tiles. Of no meaning where nobody
    // counts nodes.
    nodes_before: u32,
}

// What an element of a group is, a bit for each of the above.
fn role_in(group: Group, at: u32) -> u32 {
    let place = at % 32u;
    return ((group.opens >> place) & 1u)
        | (((group.closes >> place) & 1u) << 1u)
        | (((group.non_local >> place) & 1u) << 2u);
}

// How many nodes come before its element `at`, of the tile or of all as the group counts them.
fn rank_in(group: Group, at: u32) -> u32 {
    let before = (group.opens | group.closes) & ((1u << (at % 32u)) - 1u);
    return group.nodes_before + countOneBits(before);
}
