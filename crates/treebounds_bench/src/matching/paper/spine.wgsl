// First half of the second dispatch for both algorithms: computes the stack before
// the partition, as deep as the partition can reach.
//
// Every workgroup repeats this from the aggregates of all earlier partitions, K per
// thread. This limits n to T partitions of T elements.
//
//     thread: join K aggregates
//     scan the threads from the right: the number of stack entries from the
//     partitions of this thread and all later threads
//     for each depth that the partition can reach:
//         binary search for the last thread with more than `depth` entries
//         find the entry's partition among its K partitions, starting at the last
//         stack[depth] = the entry in this partition's slice

// In bounds: j < partition; the binary search stays below W, because its steps add
// up to W - 1; an index in a slice is less than the number of remaining opens.

@group(0) @binding(2) var<storage, read> aggregates: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> slices: array<u32>;
@group(0) @binding(4) var<storage, read_write> links: array<u32>;

// Top first. The elements before the last one of a partition close at most T - 1
// nodes, so T entries are sufficient.
var<workgroup> stack: array<u32, T>;

fn fill_stack(part: u32, thread: u32) {
    var own = Bic(0u, 0u);
    for (var j = thread * K; j < min((thread + 1u) * K, part); j++) {
        own = join(own, aggregates[j]);
    }
    scan_suffixes(thread, own);
    // The required depths: 0, and one more for each unmatched close.
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

// The entry at `depth`. The stack must have more than `depth` entries.
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
            // The entry is at position here.y - 1 - depth from the bottom of this
            // stack, which starts with the slice.
            return slices[j * T + here.y - 1u - depth];
        }
        after = here;
    }
    return NONE;
}
