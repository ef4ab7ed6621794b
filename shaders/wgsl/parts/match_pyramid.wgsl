// What every tile does to the stack, and above it every WORKGROUP_SIZE tiles, and
// so on: level 0 holds a node a tile, and a node of each level above is the product
// of WORKGROUP_SIZE nodes. The levels lie one after the other.

fn pyramid_at(level: u32) -> u32 {
    var at = plan.pyramid;
    var nodes = tiles_around(plan.element_capacity);
    for (var i = 0u; i < level; i++) {
        at += 2u * nodes;
        nodes = (nodes + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
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
