// spine: the product of everything under each tile's survivors, as far as its group
// of tiles knows.
//
// One workgroup a group of WORKGROUP_SIZE tiles, a thread a tile. A tile stands on an
// element that an earlier tile left open, its parent; or on nothing, at the root.
// Tiles hand values down to each other by pointer jumping: each round doubles how far
// back a value reaches, so log2(WORKGROUP_SIZE) rounds reach the first of the group.
//
//     round 0:   t <- p        round 1:   t <- p <- pp       round 2: four more
//
//     base[tile] = the product over the chain of parents, as far as it lies in the group
//     out[tile]  = the tile of an earlier group where it goes on, or NONE
//
// Also sums the nodes before each tile of the group.

var<workgroup> parents: array<vec2<u32>, WORKGROUP_SIZE>;
var<workgroup> carried: array<Flow, WORKGROUP_SIZE>;

fn kernel(group: u32, thread: u32, lanes: u32) {
    let first = group * WORKGROUP_SIZE;
    if first >= tiles_filled() {
        return;
    }
    let tile = first + thread;
    let is_tile = tile < tiles_filled();
    var nodes = 0u;
    var under = NONE;
    if is_tile {
        nodes = words[plan.tile_nodes + tile];
        under = words[plan.tile_ups + tile];
    }
    sums_build(thread, lanes, nodes);
    if is_tile {
        words[plan.tile_nodes + tile] = sums_before(thread);
    }
    if thread == WORKGROUP_SIZE - 1u {
        words[plan.group_nodes + group] = sums_before(thread) + nodes;
    }

    var product = flow_root();
    // The parent in the group, and where the chain leaves the group.
    var up = NONE;
    var out = NONE;
    if under != NONE {
        product = flow_load(plan.values + under);
        // Below `thread`: what survives a tile is looked at by later ones only.
        up = under / TILE - first;
        if under / TILE < first {
            up = NONE;
            out = under / TILE;
        }
    }
    parents[thread] = vec2<u32>(up, out);
    carried[thread] = product;
    for (var reach = 1u; reach < WORKGROUP_SIZE; reach *= 2u) {
        workgroupBarrier();
        if up != NONE {
            product = flow_combine(carried[up], product);
            let next = parents[up];
            up = next.x;
            out = next.y;
        }
        workgroupBarrier();
        parents[thread] = vec2<u32>(up, out);
        carried[thread] = product;
    }
    if is_tile {
        flow_store(plan.tile_values + tile, product);
        words[plan.tile_outs + tile] = out;
    }
}
