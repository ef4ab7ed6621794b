// reduce: what does each tile do to the stack, and what does it leave on it?
//
// One workgroup a tile of TILE items; thread t holds the PER_THREAD items from
// tile * TILE + t * PER_THREAD on, as bits.
//
//     reduce the thread's items; build a tree over the threads
//     for each open that the thread leaves unmatched:
//         position = its height on the tile's own stack
//         does no later thread pop it? slice[position] = (item, product so far)
//     tiles_tree leaf of the tile = the root of the threads' tree
//
// A position on the tile's stack never changes: if the item survives the tile,
// that is its place in the tile's slice, bottom first. Slice entries lie at
// tile * TILE + position, and a tile of TILE items leaves at most TILE.

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= tiles_filled() {
        return;
    }
    let first = tile * TILE + thread * PER_THREAD;
    let own = reduce_items(load_items(first));
    unmatched[thread] = own.unmatched;
    block_build(thread, lanes, own.stack);

    let base = block_find(BLOCK_LEAVES, thread, own.stack.x);
    var value = FLOW_IDENTITY;
    if base.leaf != NONE {
        value = block_product(tile, base);
    }
    flow_settle(thread, base.leaf, value);

    let stack_before = block_before(BLOCK_LEAVES, thread).y;
    let below = stack_before - min(stack_before, own.stack.x);
    let height = below + own.stack.y;
    let kept = height - min(height, block_after(BLOCK_LEAVES, thread).x);
    var position = below;
    var product = flow_settled(thread);
    for (var rest = own.unmatched; rest != 0u && position < kept; rest &= rest - 1u) {
        let item = first + firstTrailingBit(rest);
        product = flow_combine(product, flow_own(item));
        words[plan.slices + tile * TILE + position] = item;
        flow_slice_store(tile * TILE + position, product);
        position++;
    }

    if thread == 0u {
        tiles_store(tiles_size() + tile, block[1]);
    }
}
