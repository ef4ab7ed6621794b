// The pyramid: what each tile does to the stack, each group of WORKGROUP_SIZE tiles, each
// group of as many groups, and so on, up to the first level that one workgroup holds.
//
// A node has NODE_WORDS words: its closes, opens and nodes; how many elements of the stack
// at the end of its group lie above what it holds of it, and how many it holds; the nodes of
// the stream before it; how high the stack is before it; and the closes and opens of its
// earlier siblings. It has two products: what flows under what it holds, as far as its group
// knows, and what flows under the stack that its earlier siblings leave, or of a tile, under
// what it leaves itself. Above the tiles it has a row of words, for each earlier sibling how
// many elements of their stack lie above what it holds of it.

// Of bundles (bundles.wgsl) there are the tiles alone, without what is about groups.

const FAN_BITS = firstTrailingBit(WORKGROUP_SIZE);

// The first node of a level, without a sum over the levels before it: the tiles are first, then the levels from the
// top down, each with more room than it needs (plan.rs lays them out the same). With x = tiles >> FAN_BITS * level a
// level has x + 1 nodes at most, so ends at tiles + 3 x + 33 - level at the latest; the one below it begins at
// tiles + 4 x + 33 - level or later. No level is above the top, so no shift is by 32.
fn level_first(level: u32) -> u32 {
    let tiles = tiles_around(plan.element_capacity);
    return select(tiles + 2u * (tiles >> (FAN_BITS * level)) + 32u - level, 0u, level == 0u);
}

// How many nodes of a level have elements.
fn level_filled(level: u32) -> u32 {
    let each = FAN_BITS * level;
    return (tiles_filled() + (1u << each) - 1u) >> each;
}

// The level that one workgroup holds.
fn level_top() -> u32 {
    return firstLeadingBit(max(tiles_around(plan.element_capacity), 2u) - 1u) / FAN_BITS;
}

fn node_at(level: u32, node: u32) -> u32 {
    return plan.pyramid + NODE_WORDS * (level_first(level) + node);
}

// What it does to the stack, and the nodes of the stream in it.
struct NodeSum {
    value: Value,
    nodes: u32,
}

fn node_store(level: u32, node: u32, sum: NodeSum) {
    let at = node_at(level, node);
    words[at] = sum.value.x;
    words[at + 1u] = sum.value.y;
    words[at + 2u] = sum.nodes;
}

fn node_load(level: u32, node: u32) -> Value {
    let at = node_at(level, node);
    return Value(words[at], words[at + 1u]);
}

// Its row.
fn row_at(level: u32, node: u32) -> u32 {
    return plan.rows + WORKGROUP_SIZE * (level_first(level) - tiles_around(plan.element_capacity) + node);
}

// Among its children, given an element by its depth below the top of what it leaves open: the
// first with no more above it.
fn child_of(level: u32, node: u32, depth: u32) -> u32 {
    let first = node * WORKGROUP_SIZE;
    let last = min(first + WORKGROUP_SIZE, level_filled(level - 1u)) - 1u;
    return first + first_at_most(node_at(level - 1u, first) + 3u, NODE_WORDS, last - first, depth);
}

// Of words that descend, each `stride` after the one before: the first that is at most `most`, the
// one at place `last` being so. Asks in three places at a time: an answer is long on its way.
fn first_at_most(start: u32, stride: u32, last: u32, most: u32) -> u32 {
    var low = 0u;
    var high = last;
    while low < high {
        // Below `high`, and in order.
        let places = low + (high - low) * vec3<u32>(1u, 2u, 3u) / 4u;
        let at = start + stride * places;
        let found = vec3<u32>(words[at.x], words[at.y], words[at.z]) <= vec3<u32>(most);
        high = select(select(select(high, places.z, found.z), places.y, found.y), places.x, found.x);
        low = select(select(select(places.z + 1u, places.y + 1u, found.z), places.x + 1u, found.y), low, found.x);
    }
    return low;
}

// How many elements of what that child leaves open are below it.
fn rank_in_child(level: u32, child: u32, depth: u32) -> u32 {
    let at = node_at(level - 1u, child);
    return words[at + 4u] - 1u - (depth - words[at + 3u]);
}

// Its two products.
fn node_below(level: u32, node: u32) -> u32 {
    return plan.node_flows + 2u * (level_first(level) + node);
}

fn node_base(level: u32, node: u32) -> u32 {
    return node_below(level, node) + 1u;
}
