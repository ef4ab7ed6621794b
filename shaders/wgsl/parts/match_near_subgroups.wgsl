// Most tiles need few entries, and find them all in the nearest tiles. Before the
// workgroup searches together, each subgroup looks there for its threads, one entry
// a thread, without a barrier:
//
//     lane i holds tile - 1 - i; scanned from the nearest tile on:
//     closes = what the tiles after a lane's close of its opens
//     start  = what they leave open themselves: the lane's first entry
//     every thread finds the last lane that starts at or before its entry by
//         binary search over the lanes, and reads that tile's slice

const EARLY = false;

fn early_node(tile: u32, thread: u32) -> Value {
    return IDENTITY;
}

fn begin_search(tile: u32, thread: u32, lanes: u32, needed: u32) {
    if lanes >= 8u && needed <= WORKGROUP_SIZE {
        search_nearest(tile, thread, lanes, needed);
    } else if thread == 0u {
        search = Search(needed, 0u, tile, 0u);
    }
}

fn search_nearest(tile: u32, thread: u32, lanes: u32, needed: u32) {
    let lane = thread % lanes;
    var own = IDENTITY;
    if lane < tile {
        own = pyramid_load(0u, tile - 1u - lane);
    }
    var product = own;
    for (var round = 0u; round < firstTrailingBit(lanes); round++) {
        let width = 1u << round;
        let nearer = subgroupShuffleUp(product, width);
        product = combine(product, select(IDENTITY, nearer, lane >= width));
    }
    var after = subgroupShuffleUp(product, 1u);
    after = select(IDENTITY, after, lane > 0u);
    let start = after.y;
    // The slice's entry `start + i` is i below the highest that is left.
    let held = own.y;
    let top = held - min(held, after.x) - 1u + start;
    let all = subgroupShuffle(product, lanes - 1u);
    let count = min(all.y, needed);
    var at = 0u;
    for (var round = 0u; round < firstTrailingBit(lanes); round++) {
        let step = lanes >> (round + 1u);
        let there = subgroupShuffle(start, at + step);
        at = select(at, at + step, there <= thread);
    }
    let place = subgroupShuffle(top, at) - thread;
    let owner_held = subgroupShuffle(held, at);
    if thread < count {
        outside_store(tile, thread, slice_item(tile - 1u - at, owner_held, place));
    }
    if thread == 0u {
        search = Search(needed, count, tile - min(tile, lanes), all.x);
    }
}
