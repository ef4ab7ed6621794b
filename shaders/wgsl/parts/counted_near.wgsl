// How many nodes come before a tile of those that `count` has counted, where a workgroup sums them itself.

var<workgroup> counted_earlier: atomic<u32>;

// Of each thread's tile, `first` being that of the first thread. All threads together.
fn counted_before(first: u32, tile: u32, thread: u32) -> u32 {
    if thread == 0u {
        atomicStore(&counted_earlier, 0u);
    }
    workgroupBarrier();
    var nodes = 0u;
    for (var other = thread; other < first; other += WORKGROUP_SIZE) {
        nodes += words[plan.tile_nodes + other];
    }
    if nodes > 0u {
        atomicAdd(&counted_earlier, nodes);
    }
    workgroupBarrier();
    var before = atomicLoad(&counted_earlier);
    for (var other = first; other < tile; other++) {
        before += words[plan.tile_nodes + other];
    }
    return before;
}
