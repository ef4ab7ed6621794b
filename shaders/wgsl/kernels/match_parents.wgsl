// match_parents: on what does each tile's stack stand?
//
// One thread a tile. A tile that closes c nodes from before it stands on the
// node c below the top: an entry of an earlier tile's slice.
//
//     parent[tile] = that tile, or NONE;  parent_slot[tile] = the entry

fn kernel(group: u32, thread: u32) {
    let tile = group * WORKGROUP_SIZE + thread;
    if tile >= tiles_filled() {
        return;
    }
    let own = tiles_load(tiles_size() + tile);
    let base = tiles_find(tiles_size(), tile, own.x);
    var slot = 0u;
    if base.leaf != NONE {
        slot = slice_slot(base);
    }
    words[plan.parents_a + tile] = base.leaf;
    words[plan.parents_b + tile] = slot;
}
