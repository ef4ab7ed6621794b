// Stores a tile's node indices, side by side.
//
// Valid after the tile's roles are stored; `before` counts the nodes of earlier tiles.

fn compact_at(tile: u32, at: u32, before: u32) {
    let group = group_load(tile, at);
    let is_node = role_in(group, at) != 0u;
    compact_element(tile * TILE + at, before + rank_in(group, at), is_node);
}
