// Second half of the second dispatch for both algorithms: binary search in a tree
// over the threads of the partition (Figure 2 of the paper).
//
// Heap layout: node 1 is the root, and the leaf of thread t is node W + t. In bounds:
// only siblings and children of nodes between a leaf and the root are read.

fn build_tree(thread: u32, leaf: Bic) {
    nodes[W + thread] = leaf;
    workgroupBarrier();
    for (var level = W / 2u; level > 0u; level /= 2u) {
        if thread < level {
            let node = level + thread;
            nodes[node] = join(nodes[2u * node], nodes[2u * node + 1u]);
        }
        workgroupBarrier();
    }
}

// The position of a stack entry.
struct Place {
    // The thread that pushed the entry, or NONE for an earlier partition.
    thread: u32,
    // The number of entries above it: in this thread's own opens, or in the stack before
    // the partition.
    depth: u32,
}

// Finds the entry that is `depth` below the top of the stack before a thread. Climbs
// until the left sibling contains the entry, then descends to its thread.
fn find(thread: u32, depth: u32) -> Place {
    var left = depth;
    var node = W + thread;
    loop {
        if node == 1u {
            return Place(NONE, left);
        }
        if node % 2u == 1u {
            let before = nodes[node - 1u];
            if left < before.y {
                node -= 1u;
                break;
            }
            left = left - before.y + before.x;
        }
        node /= 2u;
    }
    while node < W {
        node = 2u * node + 1u;
        let later = nodes[node];
        if left >= later.y {
            left = left - later.y + later.x;
            node -= 1u;
        }
    }
    return Place(node - W, left);
}
