// A thread's element, and what becomes of it.

struct Mine {
    item: u32,
    // Its place in the tile, which is the thread; and whether there is such an element.
    at: u32,
    exists: bool,
    // Which lane of its chunk the thread is.
    lane: u32,
    // The top of the stack before it, or NONE; and its place in the tile, or NONE, and then its slot
    // in the slice of another, or where tiles are few its element again.
    top: u32,
    parent: u32,
    top_slot: u32,
    role: u32,
    // If it is a node, its index.
    node: u32,
}

fn mine_of(tile: u32, thread: u32, lanes: u32, role: u32) -> Mine {
    var mine: Mine;
    mine.item = tile * TILE + thread;
    mine.at = thread;
    mine.exists = mine.item < element_count();
    mine.lane = thread % lanes;
    mine.role = role;
    return mine;
}

// What it adds to what flows to it.
fn mine_own(mine: Mine) -> Flow {
    if mine.exists && (mine.role & ROLE_CLOSES) == 0u {
        return flow_own(mine.item);
    }
    return flow_identity();
}

// Where its top is, and what is around it: seen from its tile.
struct Seen {
    top: Top,
    around: Top,
}

// Valid as long as the pool is what order_build made of it.
fn mine_seen(mine: Mine, order: Order) -> Seen {
    let top = order_top(order);
    return Seen(top, beyond_top(mine.role, order, top));
}

// All threads together, after outside_end: what flows to each element of the tile, and what
// grows in each of its nodes. `nodes` are before the tile.
fn mine_resolve(tile: u32, element: Mine, lanes: u32, own: Flow, seen: Seen, nodes: u32) {
    var mine = element;
    // An element looks for no more than one: where its top is outside, so is what is around.
    var outside = outside_nothing();
    if seen.around.at == NONE {
        outside = outside_at(tile, select(seen.around.depth, seen.top.depth, seen.top.at == NONE));
    }
    mine.parent = seen.top.at;
    mine.top = select(tile * TILE + seen.top.at, outside.item, seen.top.at == NONE);
    mine.top_slot = outside.slot;
    if COUNTS_NODES {
        mine.node += nodes;
    }
    let beyond = beyond_of(mine.role, seen.top, seen.around, outside);
    // Nothing waits for what this asks for yet.
    emit_ask(mine);
    draws_ask(tile, mine, lanes);
    // The pool has been read, and cells.
    workgroupBarrier();
    let flows = down(mine, lanes, own, outside.flow, beyond);
    draws(tile, mine, lanes, flows);
    up(tile, mine, lanes, flows);
}
