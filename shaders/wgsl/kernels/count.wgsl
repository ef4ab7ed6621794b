// count: which elements of each tile are nodes, and how many?
//
// One workgroup a tile, PER_THREAD / 4 rows of vectors of four elements, a thread one of each row.
//
//     row by row: note the roles as bits
//     a sum over groups of 32 elements: the nodes before each
//     tile_nodes[tile] = nodes in the tile
//
// Reads 4 bytes an element, writes 16 for 32 elements.

fn kernel(tile: u32, thread: u32, subgroup: u32) {
    if tile >= tiles_filled() {
        return;
    }
    // Every thread adds bits of its own, as chunks of one element do.
    roles_clear(thread, 1u);
    for (var row = 0u; row < PER_THREAD / 4u; row++) {
        note_four(tile, 4u * (row * WORKGROUP_SIZE + thread));
    }
    workgroupBarrier();
    // A tile has no more groups than threads: a thread has at most 32 elements.
    var nodes = 0u;
    if thread < GROUPS {
        nodes = countOneBits(nodes_in(thread));
    }
    sums_build(thread, subgroup, nodes);
    if thread < GROUPS {
        role_group_store(tile, thread, sums_before(thread));
    }
    if thread == WORKGROUP_SIZE - 1u {
        words[plan.tile_nodes + tile] = sums_before(thread) + nodes;
    }
}

// The tile's elements from `at` on. The buffer is padded to whole vectors, of which the count may end in
// one, or lie before.
fn note_four(tile: u32, at: u32) {
    let item = tile * TILE + at;
    let count = element_count();
    let tags = tags4[min(item, count - 1u) / 4u];
    let exists = vec4<u32>(item) + vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(count);
    let role = tags & vec4<u32>(ROLE_MASK);
    let opens = exists & (role == vec4<u32>(ROLE_BEGIN));
    let closes = exists & (role == vec4<u32>(ROLE_END));
    // Most are neither.
    if any(opens | closes) {
        let is_local = (tags & vec4<u32>(NON_LOCAL)) == vec4<u32>(0u);
        note_bits(at, 0u, opens);
        note_bits(at, 1u, closes);
        note_bits(at, 2u, opens & !is_local);
    }
}

fn note_bits(at: u32, which: u32, four: vec4<bool>) {
    let bits = dot(vec4<u32>(four), vec4<u32>(1u, 2u, 4u, 8u));
    if bits != 0u {
        atomicOr(&masks[3u * (at / 32u) + which], bits << (at % 32u));
    }
}
