// The trees of bicyclic elements over the tiles of each group, WORKGROUP_SIZE leaves each.
//
// Heap layout: node 1 is the root, the children of node i are 2i and 2i + 1, leaf j is node
// WORKGROUP_SIZE + j; node 0 is never used. The search is that of search.wgsl.

fn heap_at(group: u32, node: u32) -> u32 {
    return plan.heaps + 2u * (2u * WORKGROUP_SIZE * group + node);
}

fn heap_load(group: u32, node: u32) -> Value {
    let at = heap_at(group, node);
    return Value(words[at], words[at + 1u]);
}

fn heap_find(group: u32, leaf: u32, depth: u32) -> Found {
    var left = depth;
    var node = WORKGROUP_SIZE + leaf;
    var above = 0u;
    while node > 1u && above == 0u {
        if node % 2u == 1u {
            let sibling = heap_load(group, node - 1u);
            if left < sibling.y {
                above = node - 1u;
            } else {
                left = left - sibling.y + sibling.x;
            }
        }
        node /= 2u;
    }
    if above == 0u {
        return Found(NONE, left);
    }
    while above < WORKGROUP_SIZE {
        above = 2u * above + 1u;
        let right = heap_load(group, above);
        if left >= right.y {
            left = left - right.y + right.x;
            above -= 1u;
        }
    }
    return Found(above - WORKGROUP_SIZE, left);
}
