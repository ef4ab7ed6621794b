// What the tiles of a workgroup leave together, as a group (groups.wgsl).
//
//     after = the product of the tiles after each
//     held  = as many of its opens as `after` does not close
//     end   = those and the opens of `after`: as many of the group's stack are its own or above
//     below = what flows under its part of the group's stack, from the first tile's on
//
// Three steps, all threads together: sum, then note for each survivor, then hold. There are few tiles: a thread of each
// looks at the others one after the other.

// What each tile does, and its nodes.
var<workgroup> group_tiles: array<NodeSum, GROUP_TILES>;
// Its `end`; how many of its opens it holds, and what flows from the last of these, from its first on.
var<workgroup> group_ends: array<u32, GROUP_TILES>;
var<workgroup> group_held: array<u32, GROUP_TILES>;
var<workgroup> group_flows: array<Flow, GROUP_TILES>;

// By the first thread of each tile; past the last tile nothing is done to the stack.
fn group_sum(thread: u32, first_tile: u32, runs: Runs) {
    if thread % RUNS == 0u {
        group_tiles[thread / RUNS] = NodeSum(runs.all, runs.nodes);
    }
    workgroupBarrier();
    if thread < GROUP_TILES {
        let own = group_tiles[thread];
        var after = NodeSum(IDENTITY, 0u);
        for (var other = thread + 1u; other < GROUP_TILES; other++) {
            let later = group_tiles[other];
            after = NodeSum(combine(after.value, later.value), after.nodes + later.nodes);
        }
        let held = own.value.y - min(own.value.y, after.value.x);
        group_ends[thread] = held + after.value.y;
        group_held[thread] = held;
        group_flows[thread] = flow_identity();
        if thread == 0u {
            let sum = NodeSum(combine(own.value, after.value), own.nodes + after.nodes);
            group_sum_store(first_tile / GROUP_TILES, sum);
        }
    }
    workgroupBarrier();
    if thread < GROUP_TILES / 2u {
        let ends = group_ends[2u * thread] | (group_ends[2u * thread + 1u] << 16u);
        words[group_row(first_tile / GROUP_TILES, thread)] = ends;
    }
}

// A survivor that has been stored: one of each tile is the last that is held.
fn group_note(slot: u32, flow: Flow) {
    let tile = slot / TILE % GROUP_TILES;
    if FLOWS && slot % TILE + 1u == group_held[tile] {
        group_flows[tile] = flow;
    }
}

fn group_hold(thread: u32, first_tile: u32) {
    if !FLOWS {
        return;
    }
    workgroupBarrier();
    if thread < GROUP_TILES && first_tile + thread < tiles_filled() {
        var below = flow_identity();
        for (var other = 0u; other < thread; other++) {
            below = flow_combine(below, group_flows[other]);
        }
        flow_store(node_below(0u, first_tile + thread), below);
    }
}
