// Products over the tiles after a tile, in workgroup memory, where there are at most NEAREST_RUN: with subgroups mostly
// as many as a chunk has lanes.

var<private> range_lanes: u32;

// What the thread-th tile after this one has: a load that range_build waits for.
fn range_load(tile: u32, thread: u32) -> Grow {
    let later = tile + 1u + thread;
    if later < tiles_filled() {
        return unions_load(plan.union_tree_leaves + later);
    }
    return grow_identity();
}

// All threads together; cells keep the products, each over the tiles before it in its chunk and itself.
fn range_build(tile: u32, thread: u32, lanes: u32, leaf: Grow) {
    range_lanes = lanes;
    if thread < NEAREST_RUN {
        cells[thread] = flow_along_chunk(thread % lanes, lanes, thread % lanes, leaf);
    }
    workgroupBarrier();
}

// The product over the tiles after this one, up to `end`.
fn range_of(tile: u32, end: u32) -> Grow {
    var all = grow_identity();
    if end <= tile + 1u {
        return all;
    }
    let last = end - tile - 2u;
    for (var chunk = range_lanes - 1u; chunk < last; chunk += range_lanes) {
        all = grow_combine(all, cells[chunk]);
    }
    return grow_combine(all, cells[last]);
}

// Each workgroup has a tile.
const SPAN_THREADS = WORKGROUP_SIZE;
