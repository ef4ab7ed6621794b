// Second dispatch of the simple algorithm: K = 1, n <= W^2.
//
// One workgroup per partition of W elements, one element per thread.
//
//     stack = the nodes that earlier partitions leave open
//     build a tree over the elements of the partition
//     each element searches for the top of the stack before it:
//         in the tree, then in `stack`
//
// Work: log W steps per element; each partition also reads the aggregates of all
// earlier partitions.

// In bounds: `place.depth` is the number of unmatched closes of the partition before
// the element, and fill_stack fills one entry more than the partition has unmatched
// closes.

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
