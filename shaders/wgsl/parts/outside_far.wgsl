// Elements of other tiles on the stack before a tile, where there are many groups of tiles:
// `outside` has found them.

// How many nodes are before the tile: nothing waits for it yet.
fn outside_load(tile: u32, thread: u32) -> NodeSum {
    return NodeSum(IDENTITY, words[node_at(0u, tile) + 5u]);
}

const HOLDS_EARLY = false;

fn outside_scan(earlier: NodeSum, thread: u32, lanes: u32) {}

fn outside_hold(thread: u32, lanes: u32) {}

fn outside_end(earlier: NodeSum, thread: u32, lanes: u32) -> u32 {
    return earlier.nodes;
}

// The one that is `depth` below the top, or NONE.
fn outside_at(tile: u32, depth: u32) -> Outside {
    let slot = words[plan.outs + tile * TILE + depth];
    if slot == NONE {
        return outside_nothing();
    }
    return outside_in(slot, flow_load(node_base(0u, slot / TILE)));
}
