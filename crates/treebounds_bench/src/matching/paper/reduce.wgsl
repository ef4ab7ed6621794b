// First dispatch: computes the effect of each partition on the stack, and its
// remaining opens.
//
// One workgroup per partition of T elements, with K consecutive elements per thread.
//
//     reduce the thread's elements
//     scan the threads from the right: after = the product of all later threads
//     `after` closes the topmost after.x of the thread's unmatched opens; the
//     remaining opens are below the after.y opens of the later threads
//     aggregates[partition] = the scan's first value
//     slices[partition * T ..] = the remaining opens, bottom first

// In bounds: load_thread stops at the number of elements; a partition keeps at
// most T opens, in its own T entries.

@group(0) @binding(2) var<storage, read_write> aggregates: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> slices: array<u32>;

@compute @workgroup_size(W)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let first = group.x * T + thread * K;
    let own = load_thread(first);
    scan_suffixes(thread, own.bic);
    let after = suffix_after(thread);
    let total = nodes[0];

    let kept = own.bic.y - min(own.bic.y, after.x);
    let place = group.x * T + total.y - after.y - kept;
    var rest = own.unmatched;
    for (var i = 0u; i < kept; i++) {
        slices[place + i] = first + firstTrailingBit(rest);
        rest &= rest - 1u;
    }
    if thread == 0u {
        aggregates[group.x] = total;
    }
}
