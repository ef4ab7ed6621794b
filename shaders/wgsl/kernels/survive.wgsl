// survive: what does each tile leave open, and what flows through it?
//
// One workgroup a tile of TILE elements; thread t holds the PER_THREAD elements from
// tile * TILE + t * PER_THREAD on, as bits.
//
//     note each element's role in a word a thread
//     a close whose top lies in the tile marks that open as closed
//     an open without a mark survives the tile
//         slice[how many survive before it] = (open, nodes of the tile before it)
//         value[open] = product over those and itself
//     the tile stands on the top of its first survivor
//
// What survives a tile is a list, each on top of the one before, so the products along
// it are a scan. A tile has at most TILE survivors; their slots begin at tile * TILE.

// So few survivors that a tree over them would not pay; no more than there are cells.
const FEW = min(32u, 2u * WORKGROUP_SIZE);

var<workgroup> closed: array<atomic<u32>, WORKGROUP_SIZE>;
var<workgroup> held: u32;

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= tiles_filled() {
        return;
    }
    let tile_first = tile * TILE;
    let first = tile_first + thread * PER_THREAD;
    atomicStore(&closed[thread], 0u);
    let own = roles_of(first);
    words[plan.roles + tile * WORKGROUP_SIZE + thread] = own;
    workgroupBarrier();
    for (var place = 0u; place < PER_THREAD; place++) {
        if (role_closes(own) & (1u << place)) != 0u {
            // NONE is past every tile.
            let top = tops[first + place] - tile_first;
            if top < TILE {
                atomicOr(&closed[top / PER_THREAD], 1u << (top % PER_THREAD));
            }
        }
    }
    workgroupBarrier();

    let survivors = role_opens(own) & ~atomicLoad(&closed[thread]);
    let nodes = role_nodes(own);
    // Two sums in one word: a tile has fewer than 2^16 elements.
    let both = countOneBits(survivors) | (countOneBits(nodes) << 16u);
    sums_build(thread, lanes, both);
    let before = sums_before(thread);
    if thread == WORKGROUP_SIZE - 1u {
        held = (before + both) & 0xffffu;
        words[plan.tile_held + tile] = held;
        words[plan.tile_nodes + tile] = (before + both) >> 16u;
        if held == 0u {
            words[plan.tile_ups + tile] = NONE;
        }
    }
    if workgroupUniformLoad(&held) == 0u {
        return;
    }

    let rank = before & 0xffffu;
    var value = flow_identity();
    if workgroupUniformLoad(&held) <= FEW {
        // Each survivor multiplies those before it by itself.
        var cell = rank;
        for (var rest = survivors; rest != 0u; rest &= rest - 1u) {
            cells[cell] = flow_own(first + firstTrailingBit(rest));
            cell++;
        }
        workgroupBarrier();
        if survivors != 0u {
            for (var earlier = 0u; earlier < rank; earlier++) {
                value = flow_combine(value, cells[earlier]);
            }
        }
    } else {
        for (var rest = survivors; rest != 0u; rest &= rest - 1u) {
            value = flow_combine(value, flow_own(first + firstTrailingBit(rest)));
        }
        fold_leaf(thread, value);
        workgroupBarrier();
        fold_build(thread);
        value = fold_range(0u, thread);
    }
    var slot = tile_first + rank;
    for (var rest = survivors; rest != 0u; rest &= rest - 1u) {
        let place = firstTrailingBit(rest);
        let item = first + place;
        if slot == tile_first {
            words[plan.tile_ups + tile] = tops[item];
        }
        value = flow_combine(value, flow_own(item));
        flow_store(plan.values + item, value);
        words[plan.slices + slot] = item;
        words[plan.slice_nodes + slot] = (before >> 16u) + countOneBits(nodes & ((1u << place) - 1u));
        words[plan.ends + item] = NONE;
        slot++;
    }
}
