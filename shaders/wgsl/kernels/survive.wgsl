// survive: what does each tile leave open, and what flows through it?
//
// One workgroup a tile, one thread an element.
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

// So few survivors that a tree over them would not pay.
const FEW = 32u;

// Of each element: 1 where a close took it; then, of each survivor, its element.
var<workgroup> marks: array<u32, TILE>;
var<workgroup> held: u32;

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= tiles_filled() {
        return;
    }
    let first = tile * TILE;
    roles_clear(thread);
    marks[thread] = 0u;
    let role = role_read(first + thread);
    workgroupBarrier();
    roles_note(thread, lanes, role);
    if (role & ROLE_CLOSES) != 0u {
        // NONE is past every tile.
        let top = tops[first + thread] - first;
        if top < TILE {
            marks[top] = 1u;
        }
    }
    workgroupBarrier();
    let survives = (role & ROLE_OPENS) != 0u && marks[thread] == 0u;
    bits_note(4u * (thread / 32u) + 3u, thread, lanes, survives);
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
        if survives {
            list(tile, thread);
        }
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

// Lists the survivor `at` of the tile.
fn list(tile: u32, at: u32) {
    let group = at / 32u;
    let earlier = (1u << (at % 32u)) - 1u;
    let rank = survivors_before(group) + countOneBits(survivors_in(group) & earlier);
    let nodes = atomicLoad(&masks[4u * group]) | atomicLoad(&masks[4u * group + 1u]);
    let node = nodes_before_group(group) + countOneBits(nodes & earlier);
    let item = tile * TILE + at;
    marks[rank] = item;
    words[plan.slices + tile * TILE + rank] = item;
    words[plan.slice_nodes + tile * TILE + rank] = node;
    words[plan.ends + item] = NONE;
    if rank == 0u {
        words[plan.tile_ups + tile] = tops[item];
    }
}

// The products along that list, a thread an entry.
fn flow_along(thread: u32, all: u32) {
    var value = flow_identity();
    if thread < all {
        value = flow_own(marks[thread]);
    }
    fold_leaf(TILE, thread, value);
    workgroupBarrier();
    if all > FEW {
        fold_build(thread, TILE);
    }
    if thread < all {
        if all > FEW {
            value = fold_range(TILE, 0u, thread + 1u);
        } else {
            for (var earlier = thread; earlier > 0u; earlier--) {
                value = flow_combine(cells[TILE + earlier - 1u], value);
            }
        }
        flow_store(plan.values + marks[thread], value);
    }
}
