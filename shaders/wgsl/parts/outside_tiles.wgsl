// The tiles of a bundle: what is on the stack before each that earlier ones of the bundle have left.

// What each tile does; past the last, nothing.
var<workgroup> tile_sums: array<Value, BUNDLE_TILES>;
// What it does with those before it in the bundle; how many elements they look at, and how many nodes they have.
var<workgroup> tile_scan: array<vec4<u32>, BUNDLE_TILES>;
// What flows under what each leaves, from the root on: at first of those that stand on elements before the bundle; and what
// pointer jumping reached.
var<workgroup> tile_bases: array<Flow, BUNDLE_TILES>;
var<workgroup> tile_parents: array<u32, BUNDLE_TILES>;

// What the tiles of the bundle do, look at and have. All threads together.
fn tiles_build(first: u32, thread: u32) -> vec4<u32> {
    let tile = first + thread;
    var sum = vec4<u32>();
    if thread < BUNDLE_TILES && tile < tiles_filled() {
        let own = node_load(0u, tile);
        sum = vec4<u32>(own, own.x + 1u, 0u);
        if COUNTS_NODES {
            sum.w = words[node_at(0u, tile) + 2u];
        }
    }
    if thread < BUNDLE_TILES {
        tile_sums[thread] = sum.xy;
    }
    for (var reach = 1u; reach < BUNDLE_TILES; reach *= 2u) {
        if thread < BUNDLE_TILES {
            tile_scan[thread] = sum;
        }
        workgroupBarrier();
        if thread >= reach && thread < BUNDLE_TILES {
            let earlier = tile_scan[thread - reach];
            sum = vec4<u32>(combine(earlier.xy, sum.xy), earlier.zw + sum.zw);
        }
        workgroupBarrier();
    }
    if thread < BUNDLE_TILES {
        tile_scan[thread] = sum;
    }
    workgroupBarrier();
    return tile_scan[BUNDLE_TILES - 1u];
}

// The same of those before one.
fn tiles_before(at: u32) -> vec4<u32> {
    if at == 0u {
        return vec4<u32>();
    }
    return tile_scan[at - 1u];
}

// The tile of the bundle that left the element open that is `depth` below the top of the stack before one; NONE where none
// did.
fn tile_find(at: u32, depth: u32) -> Found {
    var left = depth;
    for (var other = at; other > 0u; other--) {
        let earlier = tile_sums[other - 1u];
        if left < earlier.y {
            return Found(other - 1u, left);
        }
        left = left - earlier.y + earlier.x;
    }
    return Found(NONE, left);
}

// The slot of an element that a tile of the bundle left open.
fn slot_of(first: u32, found: Found) -> u32 {
    return (first + found.leaf) * TILE + tile_sums[found.leaf].y - 1u - found.depth;
}

// What a tile stands on: a tile of the bundle, and what flows from its element, from its first on; or NONE.
struct Stand {
    parent: u32,
    flow: Flow,
}

// Of the thread-th tile of the bundle.
fn stand_load(first: u32, thread: u32) -> Stand {
    var stand = Stand(NONE, flow_root());
    if thread < BUNDLE_TILES && first + thread < tiles_filled() {
        let closes = tile_sums[thread].x;
        let found = tile_find(thread, closes);
        if found.leaf != NONE {
            let slot = slot_of(first, found);
            stand = Stand(found.leaf, flow_load(plan.values + slot));
            slot_store(first + thread, closes, slot);
        }
    }
    return stand;
}

// Before an element are fewer closes than TILE, so that nobody asks for more.
fn slot_store(tile: u32, depth: u32, slot: u32) {
    if depth < TILE {
        words[plan.outs + tile * TILE + depth] = slot;
    }
}

// Hands what flows from tile to tile: each round doubles how far it reaches. All threads together.
fn bases_build(first: u32, stand: Stand, thread: u32) {
    if !FLOWS {
        return;
    }
    var parent = stand.parent;
    var flow = stand.flow;
    workgroupBarrier();
    if thread < BUNDLE_TILES && parent == NONE {
        flow = tile_bases[thread];
    }
    for (var reach = 1u; reach < BUNDLE_TILES; reach *= 2u) {
        if thread < BUNDLE_TILES {
            tile_bases[thread] = flow;
            tile_parents[thread] = parent;
        }
        workgroupBarrier();
        if parent != NONE {
            flow = flow_combine(tile_bases[parent], flow);
            parent = tile_parents[parent];
        }
        workgroupBarrier();
    }
    if thread < BUNDLE_TILES {
        tile_bases[thread] = flow;
        if first + thread < tiles_filled() {
            flow_store(node_base(0u, first + thread), flow);
        }
    }
    workgroupBarrier();
}
