// Stores node indices. Valid after the tile's roles are stored.

// Of the elements of a workgroup's tile, side by side. The first tile, before which there is no node,
// runs even when it is empty.
fn compact_tile(tile: u32, thread: u32) {
    var before = 0u;
    if tile > 0u {
        before = words[plan.tile_nodes + tile];
    }
    compact_at(tile, thread, before);
}

// Of one element; `before` counts the nodes of earlier tiles.
fn compact_at(tile: u32, at: u32, before: u32) {
    let group = group_load(tile, at);
    let is_node = role_in(group, at) != 0u;
    compact_element(tile * TILE + at, before + rank_in(group, at), is_node);
}
