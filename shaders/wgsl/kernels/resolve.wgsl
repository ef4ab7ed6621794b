// resolve: the link and the flowing value of every item.
//
// One workgroup a tile of TILE items; thread t holds the PER_THREAD items from
// tile * TILE + t * PER_THREAD on, as bits.
//
//     reduce the thread's items; build a tree over the threads
//     settle the value under each thread's stack
//     walk the items with their bits as the stack:
//         open:   link = top of the stack; push
//         close:  link = top of the stack; pop
//         the stack is empty? its top is an entry of an earlier thread,
//         or of an earlier tile, or there is none: search
//
// Only items that refer to something outside their thread search, and only once
// for each entry they pop.

// A node on the stack: which item, and the value that flows from it. NONE and
// the root's value under the bottom of the stack.
struct Entry {
    item: u32,
    flow: Flow,
}

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= tiles_filled() {
        return;
    }
    let first = tile * TILE + thread * PER_THREAD;
    let items = load_items(first);
    let own = reduce_items(items);
    unmatched[thread] = own.unmatched;
    block_build(thread, lanes, own.stack);

    let base = block_find(BLOCK_LEAVES, thread, own.stack.x);
    var value: Flow;
    if base.leaf == NONE {
        value = entry_of_tiles(tile, base.depth).flow;
    } else {
        value = block_product(tile, base);
    }
    flow_settle(thread, base.leaf, value);

    let end = min(first + PER_THREAD, item_count());
    var stack = 0u;
    var flows: array<Flow, PER_THREAD>;
    // The top of the stack under the thread's own, once it is known.
    var outside: Entry;
    var known = false;
    var popped = 0u;
    for (var item = first; item < end; item++) {
        let bit = 1u << (item - first);
        let is_open = (items.opens & bit) != 0u;
        var top: Entry;
        if stack != 0u {
            let place = firstLeadingBit(stack);
            top = Entry(first + place, flows[place]);
        } else {
            if !known {
                outside = entry_outside(tile, thread, popped);
                known = true;
            }
            top = outside;
        }
        if is_open {
            flows[item - first] = flow_combine(top.flow, flow_own(item));
            emit_open(item, top.item, flows[item - first]);
            stack |= bit;
            continue;
        }
        if stack != 0u {
            stack &= ~top_bit(stack);
        } else {
            popped++;
            known = false;
        }
        var around: u32;
        if stack != 0u {
            around = first + firstLeadingBit(stack);
        } else {
            if !known {
                outside = entry_outside(tile, thread, popped);
                known = true;
            }
            around = outside.item;
        }
        emit_close(item, top.item, around, top.flow);
    }
}

// The entry that is `depth` below the top of the stack before this thread.
fn entry_outside(tile: u32, thread: u32, depth: u32) -> Entry {
    let near = block_find(BLOCK_LEAVES, thread, depth);
    if near.leaf == NONE {
        return entry_of_tiles(tile, near.depth);
    }
    let item = tile * TILE + near.leaf * PER_THREAD
        + bit_below_top(unmatched[near.leaf], near.depth);
    return Entry(item, flow_combine(flow_settled(near.leaf), block_product(tile, near)));
}

// The entry that is `depth` below the top of the stack before this tile.
fn entry_of_tiles(tile: u32, depth: u32) -> Entry {
    let far = tiles_find(tiles_size(), tile, depth);
    if far.leaf == NONE {
        return Entry(NONE, flow_root());
    }
    let slot = slice_slot(far);
    let flow = flow_combine(flow_tile_load(far.leaf), flow_slice_load(slot));
    return Entry(words[plan.slices + slot], flow);
}
