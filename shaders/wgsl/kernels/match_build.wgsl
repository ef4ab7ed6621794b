// match_build: one level of the pyramid over the tiles from the level below.
//
// Each workgroup multiplies WORKGROUP_SIZE nodes. `level.nodes` is the number of
// the level that is read, from 0 for the tiles themselves.

fn kernel(group: u32, thread: u32, lanes: u32) {
    var filled = tiles_filled();
    for (var i = 0u; i < level.nodes; i++) {
        filled = (filled + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
    }
    let node = group * WORKGROUP_SIZE + thread;
    if group * WORKGROUP_SIZE >= filled {
        return;
    }
    var value = IDENTITY;
    if node < filled {
        value = pyramid_load(level.nodes, node);
    }
    block_build(thread, lanes, value);
    if thread == 0u {
        pyramid_store(level.nodes + 1u, group, block[1]);
    }
}
