// Second dispatch of the work-efficient algorithm: K = 2, 4, 8, 16, n <= (W K)^2.
//
// One workgroup per partition of T elements, with K consecutive elements per thread:
// a stack within the thread, the bicyclic semigroup between threads.
//
//     stack = the nodes that earlier partitions leave open
//     build a tree over the threads of the partition
//     walk the thread's elements with their unmatched opens as a stack:
//         open:  link = top; push
//         close: link = top; pop
//     if the thread's own stack is empty, the top is an open of an earlier thread:
//     search for this thread, then use its unmatched opens in order; when they are
//     used up, search again
//
// Work: K steps per thread, plus about one search of log W steps if few links leave
// the thread.

@compute @workgroup_size(W)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    fill_stack(group.x, thread);
    let start = group.x * T;
    walk(start, thread, load_thread(start + thread * K));
}
