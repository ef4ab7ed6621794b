// survive, in runs: what does each tile do to the stack, and what flows through what it leaves open?
//
// One workgroup a tile, one thread a run of RUN elements: fewer threads to start, and to scan. It
// writes all that survive.wgsl writes, and asks for a survivor's value twice.
//
//     row by row, a thread an element: note the roles as bits
//     run by run: what it opens and leaves open, and how many it closes of others (run.wgsl)
//     a tree over the runs: (closes, opens) of the tile, a node of the pyramid
//     what the runs after do not close of what a run leaves open survives the tile
//         slice[how many are open below it] = (open, nodes of the tile before it)
//         value[there] = product over those and itself
//
// Slots of a tile begin at tile * TILE, and it has at most TILE survivors.

fn kernel(tile: u32, thread: u32, subgroup: u32) {
    if tile >= tiles_filled() {
        return;
    }
    let lanes = lanes_begin(thread, subgroup);
    roles_clear(thread, lanes);
    for (var row = 0u; row < RUN; row++) {
        let at = row * WORKGROUP_SIZE + thread;
        roles_add(at, lanes, role_read(tile * TILE + at));
    }
    workgroupBarrier();
    let run = run_of(group_noted(thread * RUN / 32u), thread);
    let nodes = countOneBits(run.opens | run.closes);
    sums_build(thread, subgroup, nodes);
    block_build(thread, subgroup, Value(run.taken, countOneBits(run.left)));
    if NOTES_ROLES {
        for (var group = thread; group < GROUPS; group += WORKGROUP_SIZE) {
            group_store(tile, group, sums_before(group * 32u / RUN));
        }
    }
    if thread == WORKGROUP_SIZE - 1u {
        node_store(0u, tile, NodeSum(block_load(1u), sums_before(thread) + nodes));
    }
    let sides = block_sides(thread);
    let kept = without_tops(run.left, sides.after.x);
    let first = tile * TILE + thread * RUN;
    var flow = flow_identity();
    for (var rest = kept; rest != 0u; rest &= rest - 1u) {
        flow = flow_combine(flow, flow_own(first + firstTrailingBit(rest)));
    }
    flow = flow_before(thread, lanes, flow);
    // All that is open below the first survives too.
    var slot = tile * TILE + sides.before.y - min(sides.before.y, run.taken);
    for (var rest = kept; rest != 0u; rest &= rest - 1u) {
        let at = firstTrailingBit(rest);
        flow = flow_combine(flow, flow_own(first + at));
        words[plan.slices + slot] = first + at;
        if GROWS {
            let earlier = (run.opens | run.closes) & ((1u << at) - 1u);
            words[plan.slice_nodes + slot] = sums_before(thread) + countOneBits(earlier);
            words[plan.ends + slot] = NONE;
        }
        flow_store(plan.values + slot, flow);
        slot++;
    }
}
