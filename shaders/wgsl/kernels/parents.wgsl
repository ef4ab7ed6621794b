// parents: on what does each tile's stack stand?
//
// One thread a tile. A tile that closes c nodes from before it stands on the
// node c below the top: some earlier tile, its parent, left it in its slice,
// with the product over the parent's part of the stack up to there.
//
//     parent[tile], value[tile] = that tile and that product
//     none: NONE, and the root's value
//
// The kernel `jump` then makes the products reach back to the root.

fn kernel(group: u32, thread: u32, lanes: u32) {
    let tile = group * WORKGROUP_SIZE + thread;
    if tile >= tiles_filled() {
        return;
    }
    let own = tiles_load(tiles_size() + tile);
    let base = tiles_find(tiles_size(), tile, own.x);
    var value = flow_root();
    if base.leaf != NONE {
        value = flow_slice_load(slice_slot(base));
    }
    words[plan.parents_a + tile] = base.leaf;
    boxes[plan.values_a + tile] = value;
}
