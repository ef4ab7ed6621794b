// match_build: one level of the pyramid over the tiles from the level below.
//
// Each workgroup multiplies `fan` nodes, each thread a run of them. `level.nodes` is the number of
// the level that is read, from 0 for the tiles themselves.

fn kernel(group: u32, thread: u32, lanes: u32) {
    var filled = tiles_filled();
    for (var i = 0u; i < level.nodes; i++) {
        filled = parent(filled + fan() - 1u);
    }
    if group * fan() >= filled {
        return;
    }
    let start = group * fan() + thread * plan.run;
    block_build(thread, lanes, pyramid_run(level.nodes, start, filled));
    if thread == 0u {
        pyramid_store(level.nodes + 1u, group, block[1]);
    }
}
