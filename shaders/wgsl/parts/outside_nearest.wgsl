// Elements of other tiles on the stack before a tile, where there are few elements: each workgroup reads
// all before its own tile, a run a thread, as the bits of words.
//
//     what a run leaves open; as much of it as no later run closes is on the stack
//     the TILE elements on top of the stack, which are all that a tile looks at, into workgroup memory
//     what flows from each, and from the one below them (outside_flows.wgsl)

// These elements, by how many are above.
var<workgroup> outside_items: array<u32, TILE>;

// How many elements the stack has, and how many nodes are before the tile.
var<private> outside_height: u32;
var<private> outside_nodes: u32;
// How many elements of the stack the last tile closes.
var<private> outside_closed: u32;

// What the thread's run leaves open; then what of it is on the stack, and how many elements are above that.
var<private> outside_open: u32;
var<private> outside_above: u32;

// What the thread's run does. All threads together.
fn outside_read(tile: u32, thread: u32, lanes: u32) -> NodeSum {
    let run = run_before(tile, thread, lanes);
    outside_open = word_unmatched(run.opens, run.closes);
    let held = countOneBits(outside_open);
    let taken = held + countOneBits(run.closes) - countOneBits(run.opens);
    return NodeSum(Value(taken, held), countOneBits(run.opens | run.closes));
}

// Looks at the runs, in three steps. All threads together; a barrier must part the first two; cells are
// free before the last, and in use until the last outside_at.
fn outside_scan(earlier: NodeSum, thread: u32, lanes: u32) {
    siblings_scan(earlier, thread, lanes);
}

fn outside_hold(thread: u32, lanes: u32) {
    let after = siblings_after(thread, lanes);
    let held = countOneBits(outside_open);
    outside_open = lowest_bits(outside_open, held - min(held, after.x));
    outside_above = after.y;
    // From the top down.
    var depth = after.y;
    for (var open = outside_open; open != 0u && depth < TILE; depth++) {
        let top = firstLeadingBit(open);
        outside_items[depth] = thread * run_size + top;
        open ^= 1u << top;
    }
}

// Says how many nodes they have.
fn outside_end(thread: u32, lanes: u32) -> u32 {
    outside_flows(thread, lanes);
    outside_nodes = atomicLoad(&sibling_nodes);
    return outside_nodes;
}

// The one that is `depth` below the top, or NONE; its slot is the element. A tile has no more ends than TILE, and
// what is around the begin of the last is asked for with it.
fn outside_at(tile: u32, depth: u32) -> Outside {
    if depth >= outside_height {
        return outside_nothing();
    }
    let item = outside_items[min(depth, TILE - 1u)];
    let flow = outside_flow(depth);
    var around = flow;
    if WANTS_AROUND {
        around = outside_flow(depth + 1u);
    }
    return Outside(item, item, flow, around);
}
