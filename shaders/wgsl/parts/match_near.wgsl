// Without subgroups a search begins at the tile.

fn begin_search(tile: u32, thread: u32, lanes: u32) {
    if thread == 0u {
        search = Search(needed_by(pyramid_load(0u, tile).x), 0u, tile, 0u);
    }
}
