// What every tile does to the stack, and above it every `fan` tiles, and so on:
// level 0 holds a node a tile, and a node of each level above is the product of
// `fan` nodes. The levels lie one after the other. A workgroup multiplies as many,
// each thread a run of `plan.run` of its own before the tree over the threads.

fn fan() -> u32 {
    return WORKGROUP_SIZE * plan.run;
}

// A node's parent. Both factors of `fan` are powers of two, and to divide by what a
// compiler does not know is dear.
fn parent(node: u32) -> u32 {
    return node >> firstTrailingBit(fan());
}

fn pyramid_at(level: u32) -> u32 {
    var at = plan.pyramid;
    var nodes = tiles_around(plan.element_capacity);
    for (var i = 0u; i < level; i++) {
        at += 2u * nodes;
        nodes = parent(nodes + fan() - 1u);
    }
    return at;
}

fn pyramid_load(level: u32, node: u32) -> Value {
    let at = pyramid_at(level) + 2u * node;
    return Value(words[at], words[at + 1u]);
}

fn pyramid_store(level: u32, node: u32, value: Value) {
    let at = pyramid_at(level) + 2u * node;
    words[at] = value.x;
    words[at + 1u] = value.y;
}

// The product of the run of nodes from `start` on, of those before `end`.
fn pyramid_run(level: u32, start: u32, end: u32) -> Value {
    var value = IDENTITY;
    for (var i = 0u; i < plan.run; i++) {
        if start + i < end {
            value = combine(value, pyramid_load(level, start + i));
        }
    }
    return value;
}
