// Siblings that are bundles of tiles (bundles.wgsl): all before one, from the first on.

// The thread's sibling, if there is one: a load that siblings_scan waits for.
fn sibling_load(level: u32, first: u32, count: u32, thread: u32) -> NodeSum {
    var sum = NodeSum(IDENTITY, 0u);
    if thread < count {
        sum.value = bundle_load(first + thread);
        if COUNTS_NODES {
            sum.nodes = words[bundle_words(first + thread) + 2u];
        }
    }
    return sum;
}

// What flows from the last element that one holds, from its own part of the stack on.
fn sibling_held_flow(level: u32, bundle: u32, opens: u32, held: u32) -> Flow {
    return entry_at(bundle, opens - held).flow;
}

// How far below the top of what a sibling leaves the element is that is `depth` below the top of their stack.
fn depth_in_sibling(opens: u32, sibling: u32, depth: u32) -> u32 {
    return depth - sibling_above[sibling] + opens - sibling_held[sibling];
}

// An element that a bundle leaves open: its slot, and what flows from it, from the bundle's first on.
struct Entry {
    slot: u32,
    flow: Flow,
}

// The one that is `depth` below the top of those; there is one. Its tile is the last that ends below it.
fn entry_at(bundle: u32, depth: u32) -> Entry {
    var ends = 0u;
    var nearest = NONE;
    for (var pair = 0u; pair < BUNDLE_TILES / 2u; pair++) {
        let both = words[bundle_row(bundle, pair)];
        let end = vec2<u32>(both & 0xffffu, both >> 16u);
        let is_below = end > vec2<u32>(depth);
        ends += dot(vec2<u32>(1u), vec2<u32>(is_below));
        let below = select(vec2<u32>(NONE), end, is_below);
        nearest = min(nearest, min(below.x, below.y));
    }
    let tile = BUNDLE_TILES * bundle + ends - 1u;
    let slot = tile * TILE + nearest - 1u - depth;
    return Entry(slot, flow_combine(flow_load(node_below(0u, tile)), flow_load(plan.values + slot)));
}
