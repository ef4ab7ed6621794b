// Node indices, where nodes are few: `count` and `compact nodes` know them, and here, where others wait, there is time to
// store them. Workgroups past those of the tiles do that, INDEX_ROWS elements a thread.

// How many workgroups have tiles.
fn workgroups_of_tiles() -> u32 {
    let tiles_each = WORKGROUP_SIZE * PER_THREAD / TILE;
    return (tiles_around(plan.element_capacity) + tiles_each - 1u) / tiles_each;
}

// By the number-th of the others.
fn indices_store(number: u32, thread: u32) {
    let first = number * INDEX_ROWS * WORKGROUP_SIZE;
    if first >= counts.elements {
        return;
    }
    // Four loads at a time: what they bring is long on its way.
    for (var row = 0u; row < INDEX_ROWS; row += 4u) {
        let at = vec4<u32>(first + thread) + WORKGROUP_SIZE * vec4<u32>(row, row + 1u, row + 2u, row + 3u);
        let found = vec4<u32>(index_of(at.x), index_of(at.y), index_of(at.z), index_of(at.w));
        index_store(at.x, found.x);
        index_store(at.y, found.y);
        index_store(at.z, found.z);
        index_store(at.w, found.w);
    }
}

// The nodes before an element; of one past the last, whatever.
fn index_of(element: u32) -> u32 {
    let known = group_nodes_at(min(element, counts.elements - 1u) / 32u);
    return known.before + countOneBits(known.nodes & ((1u << (element % 32u)) - 1u));
}

fn index_store(element: u32, index: u32) {
    if element < counts.elements {
        nodes_before[element] = index;
    }
}
