// Second dispatch of the work-efficient algorithm: K = 2, 4, 8, 16, n <= (W K)^2.
//
// One workgroup per partition of T elements, K consecutive ones per thread: a stack
// of their own in the thread, the bicyclic semigroup between the threads.
//
//     stack = what the earlier partitions leave open
//     a tree over the threads of the partition
//     walk the thread's elements with their unmatched opens as a stack:
//         open:  link = top; push
//         close: link = top; pop
//     the thread's own stack is empty? the top is an open of an earlier thread.
//     Search once, then take one after the other from what that thread left
//     unmatched; when those are used up, search again
//
// Work: K steps and, where little leaves the thread, about one search of log W
// steps for K elements.

@compute @workgroup_size(W)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    fill_stack(group.x, thread);
    let start = group.x * T;
    walk(start, thread, load_thread(start + thread * K));
}
