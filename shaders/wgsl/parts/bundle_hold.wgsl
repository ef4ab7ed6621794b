// What the tiles of a workgroup leave together, as a bundle (bundles.wgsl).
//
//     after = the product of the tiles after each
//     held  = as many of its opens as `after` does not close
//     end   = those and the opens of `after`: as many of the bundle's stack are its own or above
//     below = what flows under its part of the bundle's stack, from the first tile's on
//
// Three steps, all threads together: sum, then note for each survivor, then hold. There are few tiles: a thread of each
// looks at the others one after the other.

// What each tile does, and its nodes.
var<workgroup> bundle_sums: array<NodeSum, BUNDLE_TILES>;
// Its `end`; how many of its opens it holds, and what flows from the last of these, from its first on.
var<workgroup> bundle_ends: array<u32, BUNDLE_TILES>;
var<workgroup> bundle_held: array<u32, BUNDLE_TILES>;
var<workgroup> bundle_flows: array<Flow, BUNDLE_TILES>;

// By the first thread of each tile; past the last tile nothing is done to the stack.
fn bundle_sum(thread: u32, first_tile: u32, runs: Runs) {
    if thread % RUNS == 0u {
        bundle_sums[thread / RUNS] = NodeSum(runs.all, runs.nodes);
    }
    workgroupBarrier();
    if thread < BUNDLE_TILES {
        let own = bundle_sums[thread];
        var after = NodeSum(IDENTITY, 0u);
        for (var other = thread + 1u; other < BUNDLE_TILES; other++) {
            let later = bundle_sums[other];
            after = NodeSum(combine(after.value, later.value), after.nodes + later.nodes);
        }
        let held = own.value.y - min(own.value.y, after.value.x);
        bundle_ends[thread] = held + after.value.y;
        bundle_held[thread] = held;
        bundle_flows[thread] = flow_identity();
        if thread == 0u {
            let sum = NodeSum(combine(own.value, after.value), own.nodes + after.nodes);
            bundle_store(first_tile / BUNDLE_TILES, sum);
        }
    }
    workgroupBarrier();
    if thread < BUNDLE_TILES / 2u {
        let ends = bundle_ends[2u * thread] | (bundle_ends[2u * thread + 1u] << 16u);
        words[bundle_row(first_tile / BUNDLE_TILES, thread)] = ends;
    }
}

// A survivor that has been stored: one of each tile is the last that is held.
fn bundle_note(slot: u32, flow: Flow) {
    let tile = slot / TILE % BUNDLE_TILES;
    if FLOWS && slot % TILE + 1u == bundle_held[tile] {
        bundle_flows[tile] = flow;
    }
}

fn bundle_hold(thread: u32, first_tile: u32) {
    if !FLOWS {
        return;
    }
    workgroupBarrier();
    if thread < BUNDLE_TILES && first_tile + thread < tiles_filled() {
        var below = flow_identity();
        for (var other = 0u; other < thread; other++) {
            below = flow_combine(below, bundle_flows[other]);
        }
        flow_store(node_below(0u, first_tile + thread), below);
    }
}
