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

// In bounds: `depth` is at most the number of closes of the partition before the
// element, which is below T, and fill_stack has filled one entry more than there
// are unmatched closes.

var<workgroup> unmatched: array<u32, W>;

@compute @workgroup_size(W)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    fill_stack(group.x, thread);
    let start = group.x * T;
    let first = start + thread * K;
    let own = load_thread(first);
    unmatched[thread] = own.unmatched;
    build_tree(thread, own.bic);

    // The thread's own stack.
    var inside = 0u;
    // What is on the stack of the thread `owner` still; 0: not known.
    var outside = 0u;
    var owner = 0u;
    // Or how deep in `stack` the top is, once the partition is left behind.
    var beyond = false;
    var depth = 0u;
    // How many nodes from before the thread it has closed.
    var popped = 0u;

    for (var j = 0u; j < K && first + j < size.x; j++) {
        let bit = 1u << j;
        if ((own.opens | own.closes) & bit) == 0u {
            links[first + j] = NONE;
            continue;
        }
        if inside == 0u && outside == 0u && !beyond {
            let place = find(thread, popped);
            owner = place.thread;
            depth = place.depth;
            if owner == NONE {
                beyond = true;
            } else {
                outside = unmatched[owner];
                for (; depth > 0u; depth--) {
                    outside = without_top(outside);
                }
            }
        }
        var top: u32;
        if inside != 0u {
            top = first + firstLeadingBit(inside);
        } else if beyond {
            top = stack[depth];
        } else {
            top = start + owner * K + firstLeadingBit(outside);
        }
        links[first + j] = top;
        if (own.opens & bit) != 0u {
            inside |= bit;
        } else if inside != 0u {
            inside = without_top(inside);
        } else {
            popped++;
            if beyond {
                depth++;
            } else {
                outside = without_top(outside);
            }
        }
    }
}
