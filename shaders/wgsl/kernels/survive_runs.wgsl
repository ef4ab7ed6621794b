// survive, in runs: what does each tile do to the stack, and what flows through what it leaves open?
//
// One thread a run of RUN elements; a workgroup has as many tiles as it has threads for: few threads to
// start, and most of what they do is done for all elements of a word at once. It writes all that
// survive.wgsl writes.
//
//     the roles of the run as bits
//     what it leaves open, and how many it closes of others
//     over the runs of the tile: (closes, opens), a node of the pyramid
//     what the runs after do not close of what a run leaves open survives the tile
//     the lanes of a chunk share out the survivors of their runs, a row of them at a time:
//         slice[how many are open below it] = (open, nodes of the tile before it, its role)
//         value[there] = product over those and itself
//     of bundles, the tiles of the workgroup are one: how much of each is left at its end, above what, under what
//
// Slots of a tile begin at tile * TILE, and it has at most TILE survivors. Past the last element
// nothing has a role: there is nothing to keep.

fn kernel(block: u32, thread: u32, subgroup: u32) {
    let first_tile = block * (WORKGROUP_SIZE / RUNS);
    if block >= workgroups_of_tiles() {
        indices_store(block - workgroups_of_tiles(), thread);
        return;
    }
    if first_tile >= tiles_filled() {
        return;
    }
    let lanes = lanes_begin(thread, subgroup);
    let tile = first_tile + thread / RUNS;
    var run = run_read(first_tile * TILE, thread, lanes);
    let nodes = run.opens | run.closes;
    let left = word_unmatched(run.opens, run.closes);
    let held = countOneBits(left);
    let taken = held + countOneBits(run.closes) - countOneBits(run.opens);
    let counted = select(0u, countOneBits(nodes), COUNTS_NODES);
    let runs = runs_around(thread, lanes, Value(taken, held), counted);
    run.nodes_before = runs.nodes_before;
    if NOTES_ROLES {
        run_store(tile, thread, run);
    }
    if thread % RUNS == 0u && tile < tiles_filled() {
        node_store(0u, tile, NodeSum(runs.all, runs.nodes));
    }
    bundle_sum(thread, first_tile, runs);
    var kept: Kept;
    kept.opens = lowest_bits(left, held - min(held, runs.after.x));
    kept.first = first_tile * TILE + thread * RUN;
    // All that is open below the first survives too.
    kept.rank = runs.before.y - min(runs.before.y, taken);
    kept.nodes = nodes;
    kept.non_local = run.non_local;
    kept.nodes_before = runs.nodes_before;
    keep(kept, thread, lanes);
    bundle_hold(thread, first_tile);
}
