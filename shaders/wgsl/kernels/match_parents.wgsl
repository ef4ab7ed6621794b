// match_parents: on what does each tile's stack stand?
//
// One thread a tile. A tile that closes c nodes from before it stands on the
// node c below the top: an entry of an earlier tile's slice.
//
//     parent_word[tile] = the word that holds it, or NONE
//     parent_bits[tile] = the kept bits of that word, up to it

fn kernel(group: u32, thread: u32) {
    let tile = group * WORKGROUP_SIZE + thread;
    if tile >= tiles_filled() {
        return;
    }
    let own = tiles_load(tiles_size() + tile);
    let base = tiles_find(tiles_size(), tile, own.x);
    let entry = slice_entry(base);
    words[plan.parents_a + tile] = entry.word;
    words[plan.parents_b + tile] = entry.bits;
}
