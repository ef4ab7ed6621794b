// outside, of bundles: the elements of other tiles on the stack before each tile, as far down as it looks, where there are no
// more bundles than a workgroup has threads. It writes all that `resolve` and `span` read of them.
//
// One workgroup a bundle of BUNDLE_TILES tiles.
//
//     what the tiles of the bundle do, each with those before it (outside_tiles.wgsl)
//     the stack that the earlier bundles leave, a thread a bundle (siblings.wgsl), and the elements there that tiles look at
//     a tile *stands* on the last element that it looks at: what flows from those of tiles of the bundle, by pointer jumping
//     the other elements of tiles of the bundle
//
// A tile looks at an element for each close that is not its own, and one below. Of an element it writes the slot, and what
// flows from it: for each by its depth below the top of the stack before the tile. The threads share them out.
//
// For scenes it also compacts the nodes out of all elements.

const TILE_THREADS = WORKGROUP_SIZE / BUNDLE_TILES;

fn kernel(bundle: u32, thread: u32, subgroup: u32) {
    let first = bundle * BUNDLE_TILES;
    // The first tile runs even when it is empty: somebody has to count.
    if first >= max(tiles_filled(), 1u) {
        return;
    }
    let lanes = lanes_begin(thread, subgroup);
    // Nothing waits for it yet.
    let earlier = sibling_load(0u, 0u, bundle, thread);
    let items = tiles_build(first, thread).z;
    let stand = stand_load(first, thread);
    siblings_scan(earlier, thread, lanes);
    workgroupBarrier();
    siblings_hold(0u, 0u, thread, lanes);
    let siblings = siblings_end(thread, lanes);
    for (var number = thread; number < items; number += WORKGROUP_SIZE) {
        look_before(first, bundle, siblings.value.y, item_of(number));
    }
    bases_build(first, stand, thread);
    for (var number = thread; number < items; number += WORKGROUP_SIZE) {
        look_inside(first, item_of(number));
    }
    let at = thread / TILE_THREADS;
    let tile = first + at;
    let before = siblings.nodes + tiles_before(at).w;
    if COUNTS_NODES && thread % TILE_THREADS == 0u && tile < tiles_filled() {
        words[node_at(0u, tile) + 5u] = before;
    }
    if tile < max(tiles_filled(), 1u) {
        outside_compact(tile, before, thread % TILE_THREADS, TILE_THREADS);
    }
}

// An element that a tile of the bundle looks at.
struct Item {
    at: u32,
    depth: u32,
    // How many elements the tile closes.
    closes: u32,
    // What those before it in the bundle do.
    before: Value,
}

// Its tile is the last before which are no more.
fn item_of(number: u32) -> Item {
    var at = 0u;
    for (var step = BUNDLE_TILES / 2u; step > 0u; step /= 2u) {
        if tile_scan[at + step - 1u].z <= number {
            at += step;
        }
    }
    let before = tiles_before(at);
    return Item(at, number - before.z, tile_sums[at].x, before.xy);
}

// Of an earlier bundle, of which all leave a stack of some height; or that nobody has left.
fn look_before(first: u32, bundle: u32, height: u32, item: Item) {
    if item.depth < item.before.y {
        return;
    }
    // Below the top of the stack before the bundle it is less deep by what tiles before its own leave open, and deeper by
    // what they close.
    let depth = item.depth - item.before.y + item.before.x;
    if depth >= height {
        item_store(first, item, NONE, flow_root());
        return;
    }
    let sibling = sibling_of(bundle, depth);
    let entry = entry_at(sibling, depth_in_sibling(bundle_load(sibling).y, sibling, depth));
    let under = flow_combine(flow_root(), below_load(sibling));
    item_store(first, item, entry.slot, flow_combine(under, entry.flow));
}

// Of a tile of the bundle, but for what is stood on.
fn look_inside(first: u32, item: Item) {
    if item.depth >= item.before.y || item.depth >= item.closes {
        return;
    }
    let found = tile_find(item.at, item.depth);
    let slot = slot_of(first, found);
    item_store(first, item, slot, flow_combine(tile_bases[found.leaf], flow_load(plan.values + slot)));
}

fn item_store(first: u32, item: Item, slot: u32, flow: Flow) {
    let tile = first + item.at;
    slot_store(tile, item.depth, slot);
    if item.depth < item.closes {
        flow_store(out_at(tile, item.closes, item.depth), flow);
    } else {
        tile_bases[item.at] = flow;
    }
}
