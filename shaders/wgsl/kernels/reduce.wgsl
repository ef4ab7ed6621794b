// reduce: what does each tile do to the stack, and what does it leave on it?
//
// One workgroup a tile of TILE elements; thread t holds the PER_THREAD elements
// from tile * TILE + t * PER_THREAD on, as bits.
//
//     reduce the thread's elements; build a tree over the threads
//     of the opens that the thread leaves, which does no later thread pop?
//     before = product over what earlier threads leave in the same way
//     for each such open, lowest first:
//         slice[its height on the tile's own stack] = (open, product so far)
//     tiles_tree leaf of the tile = the root of the threads' tree
//
// What survives the tile is a list, each entry on top of the one before, so the
// products along it are a scan. Slice entries lie at tile * TILE + height, and a
// tile leaves at most TILE.

var<workgroup> held: u32;

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= tiles_filled() {
        return;
    }
    let first = tile * TILE + thread * PER_THREAD;
    let items = load_items(first);
    let own = reduce_items(items);
    block_build(thread, lanes, own.stack);
    let kept = kept_of(thread, own.stack);
    if thread == 0u {
        tiles_store(tiles_size() + tile, block[1]);
        held = block[1].y;
    }
    sums_build(thread, lanes, countOneBits(items.opens | items.closes));
    if thread == WORKGROUP_SIZE - 1u {
        words[plan.tile_nodes + tile] = sums_before(thread) + countOneBits(items.opens | items.closes);
    }
    if workgroupUniformLoad(&held) == 0u {
        return;
    }

    let survivors = lowest_bits(own.unmatched, kept.count);
    flow_build(thread, lanes, flow_product(first, survivors));
    var product = flow_before(thread);
    var slot = tile * TILE + kept.height;
    for (var rest = survivors; rest != 0u; rest &= rest - 1u) {
        let item = first + firstTrailingBit(rest);
        product = flow_combine(product, flow_own(item));
        words[plan.slices + slot] = item;
        words[plan.slice_ends + slot] = NONE;
        boxes[plan.slice_boxes + slot] = product;
        slot++;
    }
}
