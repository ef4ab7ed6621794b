// resolve: links, clips and contents of a tile.
//
// One workgroup a tile of TILE elements; thread t holds the PER_THREAD elements
// from tile * TILE + t * PER_THREAD on, as bits.
//
//     build a tree over the threads; on what does each thread's stack stand?
//     settle the values under them
//     down: walk the elements with their bits as the stack; below it lie the bits
//     of earlier threads, and below those the slices of earlier tiles
//         draw:   bounds = its rect inside the top's clip
//         open:   link = top; clip = top's clip and own rect; push
//         close:  link = top; its clip is the top's; pop
//     up, along with it: the union of what changed since each open
//         close:  of the thread's own open: content = that union
//                 of another thread's: what the thread did before
//     build a tree of unions over the threads
//     a close of another thread's open: content = after that open in its thread,
//         the threads between, before the close in this one
//
// What is open before the tile or after it is left in parts, for `span`: a begin has
// the union from it to the end of the tile, an end that from the tile's start.

var<workgroup> node_bits: array<u32, WORKGROUP_SIZE>;

// A node on the stack: which element, and what flows from it. NONE and the root's
// value under the bottom of the stack.
struct Entry {
    item: u32,
    flow: Flow,
}

// Where on the stack a thread looks: at the highest bit of `mask`, opens of thread
// `leaf`; or, where `leaf` is NONE, `mask` below the top of the stack before the tile.
struct Place {
    leaf: u32,
    mask: u32,
}

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= tiles_filled() {
        return;
    }
    let tile_first = tile * TILE;
    let first = tile_first + thread * PER_THREAD;
    let items = load_items(first);
    let own = reduce_items(items);
    let nodes = items.opens | items.closes;
    unmatched[thread] = own.unmatched;
    node_bits[thread] = nodes;
    block_build(thread, lanes, own.stack);
    let base = place_of(block_find(BLOCK_LEAVES, thread, own.stack.x));
    var low = place_of(block_find(BLOCK_LEAVES, thread, 0u));
    let kept = kept_of(thread, own.stack);
    sums_build(thread, lanes, countOneBits(nodes));
    let node_base = words[plan.tile_nodes + tile] + sums_before(thread);

    // The tree makes way for what is below each thread (its lower half) and for
    // `flow_settle` (its upper half).
    block[thread] = Value(base.leaf, base.mask);
    var value: Flow;
    if base.leaf == NONE {
        value = entry_of_tiles(tile, base.mask).flow;
    } else {
        value = flow_product(tile_first + base.leaf * PER_THREAD, base.mask);
    }
    flow_settle(thread, base.leaf, value);

    // Down.
    let end = min(first + PER_THREAD, element_count());
    var stack = 0u;
    var flows: array<Flow, PER_THREAD>;
    var waiting: array<Grow, PER_THREAD>;
    var grown = GROW_IDENTITY;
    var outside: Entry;
    var known = false;
    var far = 0u;
    var later = 0u;
    var node = node_base;
    for (var item = first; item < end; item++) {
        let place = item - first;
        let bit = 1u << place;
        var top: Entry;
        if stack != 0u {
            let at = firstLeadingBit(stack);
            top = Entry(first + at, flows[at]);
        } else {
            if !known {
                outside = entry_at(tile, low);
                known = true;
            }
            top = outside;
        }
        if (nodes & bit) == 0u {
            grown = grow_combine(grown, emit_leaf(item, top.flow));
            continue;
        }
        if (items.opens & bit) != 0u {
            let flow = flow_combine(top.flow, flow_own(item));
            grown = grow_combine(grown, emit_open(item, node, top.item, top.flow, flow));
            flows[place] = flow;
            waiting[place] = grown;
            grown = GROW_IDENTITY;
            stack |= bit;
        } else {
            emit_close(item, node, top.item, top.flow);
            if stack != 0u {
                let at = firstLeadingBit(stack);
                let begin_node = node_base + countOneBits(nodes & ((1u << at) - 1u));
                emit_content(first + at, begin_node, item, node, grown);
                grown = grow_combine(waiting[at], grown);
                stack &= ~(1u << at);
            } else if top.item != NONE {
                emit_part(node, grown);
                if low.leaf == NONE {
                    slice_end(tile, low.mask, item, node);
                    far |= bit;
                } else {
                    later |= bit;
                }
                low = place_below(low);
                known = false;
            }
        }
        node++;
    }

    // What the thread leaves open has grown up to its end.
    for (var rest = stack; rest != 0u; ) {
        let at = firstLeadingBit(rest);
        emit_part(node_base + countOneBits(nodes & ((1u << at) - 1u)), grown);
        grown = grow_combine(waiting[at], grown);
        rest &= ~(1u << at);
    }

    // Up.
    workgroupBarrier();
    storageBarrier();
    grow_build(thread, lanes, grown);
    for (var rest = later; rest != 0u; rest &= rest - 1u) {
        let at = firstTrailingBit(rest);
        let item = first + at;
        let end_node = node_base + countOneBits(nodes & ((1u << at) - 1u));
        // The link of such a close is an open of an earlier thread of this tile; past
        // the capacity of nodes it may be anything.
        let begin_at = min(begin_of(end_node) - tile_first, item - tile_first);
        let begin = tile_first + begin_at;
        let other = begin_at / PER_THREAD;
        let other_bits = node_bits[other] & ((1u << (begin_at % PER_THREAD)) - 1u);
        let begin_node = words[plan.tile_nodes + tile] + sums_before(other) + countOneBits(other_bits);
        let after = grow_combine(part_of(begin_node), grow_range(other + 1u, thread));
        emit_content(begin, begin_node, item, end_node, grow_combine(after, part_of(end_node)));
    }
    if far != 0u {
        let before = grow_range(0u, thread);
        for (var rest = far; rest != 0u; rest &= rest - 1u) {
            let at = firstTrailingBit(rest);
            let end_node = node_base + countOneBits(nodes & ((1u << at) - 1u));
            emit_part(end_node, grow_combine(before, part_of(end_node)));
        }
    }
    let survivors = lowest_bits(own.unmatched, kept.count);
    if survivors != 0u {
        let after = grow_range(thread + 1u, WORKGROUP_SIZE);
        var slot = tile_first + kept.height;
        for (var rest = survivors; rest != 0u; rest &= rest - 1u) {
            let at = firstTrailingBit(rest);
            let begin_node = node_base + countOneBits(nodes & ((1u << at) - 1u));
            emit_part(begin_node, grow_combine(part_of(begin_node), after));
            words[plan.slice_nodes + slot] = begin_node;
            slot++;
        }
    }
    if thread == 0u {
        unions_store(unions_size() + tile, cells[1]);
    }
}

fn place_of(found: Found) -> Place {
    if found.leaf == NONE {
        return Place(NONE, found.depth);
    }
    return Place(found.leaf, without_top(unmatched[found.leaf], found.depth));
}

// Where the stack goes on below this place.
fn place_below(place: Place) -> Place {
    if place.leaf == NONE {
        return Place(NONE, place.mask + 1u);
    }
    let rest = place.mask & ~top_bit(place.mask);
    if rest != 0u {
        return Place(place.leaf, rest);
    }
    let below = block[place.leaf];
    return Place(below.x, below.y);
}

fn entry_at(tile: u32, place: Place) -> Entry {
    if place.leaf == NONE {
        return entry_of_tiles(tile, place.mask);
    }
    let first = tile * TILE + place.leaf * PER_THREAD;
    let flow = flow_combine(flow_settled(place.leaf), flow_product(first, place.mask));
    return Entry(first + firstLeadingBit(place.mask), flow);
}

// The entry that is `depth` below the top of the stack before this tile.
fn entry_of_tiles(tile: u32, depth: u32) -> Entry {
    let found = tiles_find(tiles_size(), tile, depth);
    if found.leaf == NONE {
        return Entry(NONE, flow_root());
    }
    let slot = slice_slot(found);
    let flow = flow_combine(boxes[plan.tile_bases + found.leaf], boxes[plan.slice_boxes + slot]);
    return Entry(words[plan.slices + slot], flow);
}

// Notes in that entry's slice where it ends.
fn slice_end(tile: u32, depth: u32, item: u32, node: u32) {
    let slot = slice_slot(tiles_find(tiles_size(), tile, depth));
    words[plan.slice_ends + slot] = item;
    words[plan.slice_end_nodes + slot] = node;
}
