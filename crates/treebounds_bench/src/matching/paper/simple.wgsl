// Second dispatch of the simple algorithm: K = 1, n <= W^2.
//
// One workgroup per partition of W elements, one element per thread.
//
//     stack = what the earlier partitions leave open
//     a tree over the elements of the partition
//     every element searches for the top of the stack before it:
//         in the tree, or, where the tree ends, in `stack`
//
// Work: log W steps for every element, and for every partition the aggregates of
// all earlier ones.

// In bounds: `place.depth` is the number of unmatched closes of the partition before
// the element, and fill_stack has filled one entry more than there are in all.

@compute @workgroup_size(W)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    fill_stack(group.x, thread);
    let element = group.x * W + thread;
    let own = load_thread(element);
    build_tree(thread, own.bic);
    if element >= size.x {
        return;
    }
    var link = NONE;
    if (own.opens | own.closes) != 0u {
        let place = find(thread, 0u);
        if place.thread == NONE {
            link = stack[place.depth];
        } else {
            link = group.x * W + place.thread;
        }
    }
    links[element] = link;
}
