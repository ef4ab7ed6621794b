// The trees of bicyclic elements over the tiles of each group, WORKGROUP_SIZE leaves each.
//
// Heap layout: node 1 is the root, the children of node i are 2i and 2i + 1, leaf j is node
// WORKGROUP_SIZE + j; node 0 is never used.

fn heap_at(group: u32, node: u32) -> u32 {
    return plan.heaps + 2u * (2u * WORKGROUP_SIZE * group + node);
}
