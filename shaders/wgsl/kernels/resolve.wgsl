// resolve: links, clips and contents of a tile.
//
// One workgroup a tile of TILE elements; thread t holds the PER_THREAD elements
// from tile * TILE + t * PER_THREAD on, as bits. Each element has a slot in
// workgroup memory: threads load and store slots side by side, and walk their own.
//
//     slot[element] = its rect
//     build a tree over the threads; on what does each thread's stack stand?
//     settle the values under them
//     down: walk the elements with their bits as the stack, whose values are in
//     their slots; below it lie the bits of earlier threads, and below those the
//     slices of earlier tiles
//         draw:   slot = what is visible inside the top's clip
//         open:   link = top; slot = clip = top's clip and own rect; push
//         close:  link = top; slot = clip = the top's; pop
//     store links, clips and the bounds of draws
//     up: walk once more; grown = the union of what has changed since the last open
//         draw:   grown += slot
//         open:   slot = grown; grown = nothing; push
//         close:  of the thread's own open: both slots = content = grown;
//                 grown += what the open's slot kept; pop
//                 of another thread's: slot = grown
//         left open: slot = grown from it to the end of the thread
//     build a tree of unions over the threads
//     a close of another thread's open: both slots = content = after that open in its
//         thread, the threads between, before the close in this one
//     store contents and the bounds of nodes
//
// What is open before the tile or after it is left in parts, for `span`: a begin has
// the union from it to the end of the tile, an end that from the tile's start.

var<workgroup> non_local: array<u32, WORKGROUP_SIZE>;
var<workgroup> slots: array<vec4<f32>, SLOTS>;
var<workgroup> tops: array<u32, TILE>;

// A node on the stack: which element; where in the slices it stands, if it is of
// another tile; and what flows from it. NONE and the root's value under the bottom of
// the stack.
struct Entry {
    item: u32,
    slot: u32,
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
    let here = thread * PER_THREAD;
    let first = tile_first + here;
    let held = min(element_count() - min(element_count(), first), PER_THREAD);
    for (var at = thread; at < TILE; at += WORKGROUP_SIZE) {
        if tile_first + at < element_count() {
            slots[slot_of(at)] = rects[tile_first + at];
        }
    }
    let items = load_items(first);
    let own = reduce_items(items);
    let nodes = items.opens | items.closes;
    unmatched[thread] = own.unmatched;
    node_bits[thread] = nodes;
    non_local[thread] = items.non_local;
    block_build(thread, lanes, own.stack);
    let base = place_of(block_find(BLOCK_LEAVES, thread, own.stack.x));
    var low = place_of(block_find(BLOCK_LEAVES, thread, 0u));
    let kept = kept_of(thread, own.stack);
    sums_build(thread, lanes, countOneBits(nodes));
    let tile_nodes = words[plan.tile_nodes + tile];

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
    var stack = 0u;
    var outside: Entry;
    var known = false;
    var unlinked = 0u;
    var far = 0u;
    var later = 0u;
    for (var place = 0u; place < held; place++) {
        let bit = 1u << place;
        let slot = slot_of(here + place);
        var top: Entry;
        if stack != 0u {
            let at = firstLeadingBit(stack);
            top = Entry(first + at, NONE, slots[slot_of(here + at)]);
        } else {
            if !known {
                outside = entry_at(tile, low);
                known = true;
            }
            top = outside;
        }
        tops[here + place] = top.item;
        if (items.closes & bit) == 0u {
            slots[slot] = flow_combine(top.flow, slots[slot]);
            if (items.opens & bit) != 0u {
                stack |= bit;
                if (items.non_local & bit) != 0u {
                    bounds[first + place] = top.flow;
                }
            }
            continue;
        }
        slots[slot] = top.flow;
        if stack != 0u {
            stack &= ~top_bit(stack);
        } else if top.item == NONE {
            slots[slot] = NOTHING;
            unlinked |= bit;
        } else {
            if top.slot == NONE {
                later |= bit;
            } else {
                far |= bit;
                words[plan.slice_ends + top.slot] = first + place;
                words[plan.slice_end_nodes + top.slot] = tile_nodes + rank_of(here + place);
            }
            low = place_below(low);
            known = false;
        }
    }
    workgroupBarrier();
    for (var at = thread; at < TILE; at += WORKGROUP_SIZE) {
        let item = tile_first + at;
        if item < element_count() {
            if !is_node(at) {
                bounds[item] = slots[slot_of(at)];
            } else {
                let node = tile_nodes + rank_of(at);
                if node < plan.node_capacity {
                    links[node] = tops[at];
                    clips[node] = slots[slot_of(at)];
                }
            }
        }
    }
    storageBarrier();
    workgroupBarrier();

    // Up.
    stack = 0u;
    var grown = GROW_IDENTITY;
    // Ends whose bounds are those of their non-local begins.
    var copied = 0u;
    for (var place = 0u; place < held; place++) {
        let bit = 1u << place;
        let slot = slot_of(here + place);
        if (nodes & bit) == 0u {
            grown = grow_combine(grown, slots[slot]);
        } else if (items.opens & bit) != 0u {
            if (items.non_local & bit) != 0u {
                grown = grow_combine(grown, bounds[first + place]);
            }
            slots[slot] = grown;
            grown = GROW_IDENTITY;
            stack |= bit;
        } else if stack != 0u {
            let at = firstLeadingBit(stack);
            let open = slot_of(here + at);
            let around = slots[open];
            slots[open] = grown;
            slots[slot] = grown;
            grown = grow_combine(around, grown);
            stack &= ~(1u << at);
            if (items.non_local & (1u << at)) != 0u {
                copied |= bit;
                bounds[first + place] = bounds[first + at];
            }
        } else {
            slots[slot] = select(grown, GROW_IDENTITY, (unlinked & bit) != 0u);
        }
    }
    for (var rest = stack; rest != 0u; rest &= ~top_bit(rest)) {
        let open = slot_of(here + firstLeadingBit(rest));
        let around = slots[open];
        slots[open] = grown;
        grown = grow_combine(around, grown);
    }
    grow_build(thread, lanes, grown);
    for (var rest = later; rest != 0u; rest &= rest - 1u) {
        let place = firstTrailingBit(rest);
        // The link of such a close is an open of an earlier thread of this tile.
        let begin = tops[here + place] - tile_first;
        let other = begin / PER_THREAD;
        let after = grow_combine(slots[slot_of(begin)], grow_range(other + 1u, thread));
        let content = grow_combine(after, slots[slot_of(here + place)]);
        slots[slot_of(begin)] = content;
        slots[slot_of(here + place)] = content;
        if (non_local[other] & (1u << (begin % PER_THREAD))) != 0u {
            copied |= 1u << place;
            bounds[first + place] = bounds[tile_first + begin];
        }
    }
    if far != 0u {
        let before = grow_range(0u, thread);
        for (var rest = far; rest != 0u; rest &= rest - 1u) {
            let slot = slot_of(here + firstTrailingBit(rest));
            slots[slot] = grow_combine(before, slots[slot]);
        }
    }
    let survivors = lowest_bits(own.unmatched, kept.count);
    if survivors != 0u {
        let after = grow_range(thread + 1u, WORKGROUP_SIZE);
        var entry = tile_first + kept.height;
        for (var rest = survivors; rest != 0u; rest &= rest - 1u) {
            let place = firstTrailingBit(rest);
            let slot = slot_of(here + place);
            slots[slot] = grow_combine(slots[slot], after);
            words[plan.slice_nodes + entry] = tile_nodes + rank_of(here + place);
            entry++;
        }
    }
    unmatched[thread] = copied | items.non_local;
    if thread == 0u {
        unions_store(unions_size() + tile, cells[1]);
    }
    workgroupBarrier();
    for (var at = thread; at < TILE; at += WORKGROUP_SIZE) {
        let item = tile_first + at;
        if item < element_count() && is_node(at) {
            let content = slots[slot_of(at)];
            let node = tile_nodes + rank_of(at);
            if node < plan.node_capacity {
                contents[node] = content;
            }
            if (unmatched[at / PER_THREAD] & (1u << (at % PER_THREAD))) == 0u {
                bounds[item] = content;
            }
        }
    }
}

// Where the slot of the tile's element `at` lies: swapped about inside blocks of four,
// so that neither neighbours nor every PER_THREAD-th meet in one bank.
fn slot_of(at: u32) -> u32 {
    return at ^ ((at >> 3u) & 3u);
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
    return Entry(first + firstLeadingBit(place.mask), NONE, flow);
}

// The entry that is `depth` below the top of the stack before this tile.
fn entry_of_tiles(tile: u32, depth: u32) -> Entry {
    let found = tiles_find(tiles_size(), tile, depth);
    if found.leaf == NONE {
        return Entry(NONE, NONE, flow_root());
    }
    let slot = slice_slot(found);
    let flow = flow_combine(boxes[plan.tile_bases + found.leaf], boxes[plan.slice_boxes + slot]);
    return Entry(words[plan.slices + slot], slot, flow);
}
