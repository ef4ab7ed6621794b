// survive: what does each tile leave open, and what flows through it?
//
// One workgroup a tile of TILE elements, of which each thread has every WORKGROUP_SIZE-th.
//
//     note the roles as bits
//     a close whose top lies in the tile marks that open as closed
//     an open without a mark survives the tile
//         slice[how many survive before it] = (open, nodes of the tile before it)
//         value[open] = product over those and itself
//     the tile stands on the top of its first survivor
//
// What survives a tile is a list, each on top of the one before, so the products along
// it are a scan. A tile has at most TILE survivors; their slots begin at tile * TILE.

// So few survivors that a tree over them would not pay; no more than there are cells.
const FEW = min(32u, WORKGROUP_SIZE);

// Of each element: 1 where a close took it; then, of each survivor, its element.
var<workgroup> marks: array<u32, TILE>;
var<workgroup> held: u32;

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= tiles_filled() {
        return;
    }
    let first = tile * TILE;
    roles_clear(thread);
    var role: array<u32, PER_THREAD>;
    for (var j = 0u; j < PER_THREAD; j++) {
        let at = thread + j * WORKGROUP_SIZE;
        role[j] = role_read(first + at);
        marks[at] = 0u;
    }
    workgroupBarrier();
    for (var j = 0u; j < PER_THREAD; j++) {
        let at = thread + j * WORKGROUP_SIZE;
        if (role[j] & ROLE_CLOSES) != 0u {
            // NONE is past every tile.
            let top = tops[first + at] - first;
            if top < TILE {
                marks[top] = 1u;
            }
        }
        roles_note(at, lanes, role[j]);
    }
    workgroupBarrier();
    for (var j = 0u; j < PER_THREAD; j++) {
        let at = thread + j * WORKGROUP_SIZE;
        bits_note(4u * (at / 32u) + 3u, at, lanes, (role[j] & ROLE_OPENS) != 0u && marks[at] == 0u);
    }
    workgroupBarrier();
    roles_store(tile, thread);
    if thread == 0u {
        held = survivors_before(GROUPS);
        words[plan.tile_held + tile] = held;
        words[plan.tile_nodes + tile] = nodes_before_group(GROUPS);
        if held == 0u {
            words[plan.tile_ups + tile] = NONE;
        }
    }
    let all = workgroupUniformLoad(&held);
    if all > 0u {
        list(tile, thread);
        workgroupBarrier();
        flow_along(thread, all);
    }
}

fn survivors_in(group: u32) -> u32 {
    return atomicLoad(&masks[4u * group + 3u]);
}

// The survivors in the tile's first groups.
fn survivors_before(group: u32) -> u32 {
    var survivors = 0u;
    for (var earlier = 0u; earlier < group; earlier++) {
        survivors += countOneBits(survivors_in(earlier));
    }
    return survivors;
}

// The slice of the tile; each thread takes its own elements again.
fn list(tile: u32, thread: u32) {
    for (var at = thread; at < TILE; at += WORKGROUP_SIZE) {
        let bits = survivors_in(at / 32u);
        let bit = 1u << (at % 32u);
        if (bits & bit) != 0u {
            let rank = survivors_before(at / 32u) + countOneBits(bits & (bit - 1u));
            let group = 4u * (at / 32u);
            let nodes = atomicLoad(&masks[group]) | atomicLoad(&masks[group + 1u]);
            let node = nodes_before_group(at / 32u) + countOneBits(nodes & (bit - 1u));
            let item = tile * TILE + at;
            marks[rank] = item;
            words[plan.slices + tile * TILE + rank] = item;
            words[plan.slice_nodes + tile * TILE + rank] = node;
            words[plan.ends + item] = NONE;
            if rank == 0u {
                words[plan.tile_ups + tile] = tops[item];
            }
        }
    }
}

// The products along that list: each thread has a run of it, and takes what is before from
// the threads before.
fn flow_along(thread: u32, all: u32) {
    let few = all <= FEW;
    let run = select(PER_THREAD, 1u, few);
    let start = min(thread * run, all);
    let end = min(start + run, all);
    var value = flow_identity();
    for (var rank = start; rank < end; rank++) {
        value = flow_combine(value, flow_own(marks[rank]));
    }
    fold_leaf(FOLD_LEAVES, thread, value);
    value = flow_identity();
    workgroupBarrier();
    if few {
        // A tree would not pay.
        if start < end {
            for (var earlier = 0u; earlier < thread; earlier++) {
                value = flow_combine(value, cells[FOLD_LEAVES + earlier]);
            }
        }
    } else {
        fold_build(thread, FOLD_LEAVES);
        value = fold_range(FOLD_LEAVES, 0u, thread);
    }
    for (var rank = start; rank < end; rank++) {
        value = flow_combine(value, flow_own(marks[rank]));
        flow_store(plan.values + marks[rank], value);
    }
}
