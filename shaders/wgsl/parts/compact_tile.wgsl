// Stores a tile's node indices, side by side.
//
// Valid after the tile's roles are stored; `before` counts the nodes of earlier tiles.

fn compact_tile(tile: u32, thread: u32, before: u32) {
    let group = group_load(tile, thread);
    let is_node = role_in(group, thread) != 0u;
    compact_element(tile * TILE + thread, before + rank_in(group, thread), is_node);
}
