// match_parents: what is on the stack before each tile, and after its closes?
//
// One thread a tile. A tile that closes c nodes from before it stands on the
// node c below the top: an entry of an earlier tile's slice. The entry at the top
// itself is where the tile's first element looks.
//
//     top[tile]    = the entry at the top of the stack before the tile
//     parent[tile] = the entry on which the tile's own stack stands

fn kernel(group: u32, thread: u32, lanes: u32) {
    let tile = group * WORKGROUP_SIZE + thread;
    if tile >= tiles_filled() {
        return;
    }
    let own = tiles_load(tiles_size() + tile);
    let base = tiles_find(tiles_size(), tile, own.x);
    store_entry(plan.parents_a + 3u * tile, slice_entry(base));
    let top = tiles_find(tiles_size(), tile, 0u);
    store_entry(plan.parents_b + 3u * tile, slice_entry(top));
}
