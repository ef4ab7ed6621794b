// Second dispatch, first half, for both algorithms: the stack before the
// partition, as far as the partition can reach into it.
//
// Every workgroup does this anew from the aggregates of all earlier partitions,
// K of them a thread. That bounds n: T partitions of T elements.
//
//     thread: join K aggregates
//     scan the threads from the right: how much of the stack comes from the
//     partitions of this thread and of all later ones
//     for each depth that the partition can ask for:
//         binary search: the last thread with more of the stack than that
//         among its K partitions, from the last: the one that holds the entry
//         stack[depth] = the entry in that partition's slice

// In bounds: j < partition; the binary search stays below W, since its steps add
// up to W - 1; an entry of a slice lies below what the partition leaves open.

@group(0) @binding(2) var<storage, read> aggregates: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> slices: array<u32>;
@group(0) @binding(4) var<storage, read_write> links: array<u32>;

// The top comes first. The elements before the last of a partition close at
// most T - 1 nodes, so T entries are enough.
var<workgroup> stack: array<u32, T>;

fn fill_stack(part: u32, thread: u32) {
    var own = Bic(0u, 0u);
    for (var j = thread * K; j < min((thread + 1u) * K, part); j++) {
        own = join(own, aggregates[j]);
    }
    scan_suffixes(thread, own);
    // The depths asked for: 0, and one more for each unmatched close.
    let needed = min(aggregates[part].x + 1u, T);
    let held = nodes[0].y;
    for (var depth = thread; depth < needed; depth += W) {
        stack[depth] = NONE;
        if depth < held {
            stack[depth] = stack_entry(part, depth);
        }
    }
    workgroupBarrier();
}

// The stack holds more than `depth` entries.
fn stack_entry(part: u32, depth: u32) -> u32 {
    var holder = 0u;
    for (var step = W / 2u; step > 0u; step /= 2u) {
        if nodes[holder + step].y > depth {
            holder += step;
        }
    }
    var j = min((holder + 1u) * K, part);
    var after = suffix_after(holder);
    while j > holder * K {
        j--;
        let here = join(aggregates[j], after);
        if here.y > depth {
            // Position here.y - 1 - depth from the bottom of this stack, whose
            // bottom is the bottom of the slice.
            return slices[j * T + here.y - 1u - depth];
        }
        after = here;
    }
    return NONE;
}
