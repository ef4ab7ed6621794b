// Where in the slices the node is that a search over the tiles found. A slice is
// bottom first and holds as many entries as its tile leaves open, more than
// `found.depth`.
fn slice_slot(found: Found) -> u32 {
    let held = tiles_load(tiles_size() + found.leaf).y;
    return found.leaf * TILE + held - 1u - found.depth;
}
