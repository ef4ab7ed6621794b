// Elements of other tiles on the stack before a tile, where there are many tiles:
// `outside` has found them.

// How many elements the tile closes there.
var<private> outside_closes: u32;

// What the tile does, and how many nodes are before it: nothing waits for it yet.
fn outside_load(tile: u32, thread: u32) -> NodeSum {
    var sum = NodeSum(node_load(0u, tile), 0u);
    if COUNTS_NODES {
        sum.nodes = words[node_at(0u, tile) + 5u];
    }
    return sum;
}

const HOLDS_EARLY = false;

fn outside_scan(earlier: NodeSum, thread: u32, lanes: u32) {}

fn outside_hold(thread: u32, lanes: u32) {}

fn outside_end(earlier: NodeSum, thread: u32, lanes: u32) -> u32 {
    outside_closes = earlier.value.x;
    return earlier.nodes;
}

// The one that is `depth` below the top, or NONE.
fn outside_at(tile: u32, depth: u32) -> Outside {
    let slot = words[plan.outs + tile * TILE + depth];
    let flow = flow_load(out_at(tile, outside_closes, depth));
    if slot == NONE {
        return outside_nothing();
    }
    var around = flow;
    // What is around is the next below; nobody wants it of the last.
    if WANTS_AROUND && depth < outside_closes {
        around = flow_load(out_at(tile, outside_closes, depth + 1u));
    }
    return Outside(words[plan.slices + slot], slot, flow, around);
}

// What flows from it, once more: it is asked for again, so that few who want it do not make all keep it. (With
// eight registers less a thread, a third more workgroups run.)
fn outside_again(tile: u32, beyond: Beyond) -> Flow {
    return flow_load(out_at(tile, outside_closes, beyond.depth));
}
