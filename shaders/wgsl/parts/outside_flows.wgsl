// What flows from the elements on the stack before a tile, by how many are above: in cells, and from the one
// below them all in a variable.

var<private> outside_base: Flow;
// Of each run, what lies deeper than those.
var<workgroup> outside_deep: array<u32, WORKGROUP_SIZE>;

// Products along the stack, from the bottom up, a thread each of the last TILE; before, if there are more, over all
// those below. All threads together; cells are free before, and in use until the last outside_flow.
fn outside_flows(thread: u32, lanes: u32) {
    let height = workgroupUniformLoad(&sibling_all).y;
    outside_height = height;
    let depth = TILE - 1u - thread;
    var own = flow_identity();
    if depth < height {
        own = flow_own(outside_items[depth]);
    }
    outside_base = flow_root();
    if height > TILE {
        deep_note(thread);
        workgroupBarrier();
        let deep = flow_along(thread, lanes, deep_flow(thread, lanes), true);
        if thread == WORKGROUP_SIZE - 1u {
            cells[0] = deep;
        }
        workgroupBarrier();
        outside_base = flow_combine(flow_root(), cells[0]);
        workgroupBarrier();
    }
    let along = flow_along(thread, lanes, own, lane_ballot(depth < height) != 0u);
    cells[depth] = flow_combine(outside_base, along);
    workgroupBarrier();
}

fn outside_flow(depth: u32) -> Flow {
    if depth >= TILE {
        return outside_base;
    }
    return cells[depth];
}

// What the thread's run has on the stack below the TILE on top.
fn deep_note(thread: u32) {
    let held = countOneBits(outside_open);
    let above = TILE - min(TILE, outside_above);
    outside_deep[thread] = select(0u, lowest_bits(outside_open, held - above), held > above);
}

// The product over some of those, run_size elements a thread, four at a time: a value is long on its way. Threads
// look side by side where they have lanes, for then values are rects, which intersect in any order; else each at its run.
fn deep_flow(thread: u32, lanes: u32) -> Flow {
    let first = select(thread, thread * run_size, lanes == 1u);
    let step = select(WORKGROUP_SIZE, 1u, lanes == 1u);
    var flow = flow_identity();
    for (var i = 0u; i < run_size; i += 4u) {
        let at = first + i * step;
        let a = deep_at(at);
        let b = deep_at(at + step);
        let c = deep_at(at + 2u * step);
        let d = deep_at(at + 3u * step);
        flow = flow_combine(flow, flow_combine(flow_combine(a, b), flow_combine(c, d)));
    }
    return flow;
}

// There are run_size * WORKGROUP_SIZE places, in as many runs as threads.
fn deep_at(item: u32) -> Flow {
    var flow = flow_identity();
    if ((outside_deep[item / run_size] >> (item % run_size)) & 1u) != 0u {
        flow = flow_own(item);
    }
    return flow;
}
