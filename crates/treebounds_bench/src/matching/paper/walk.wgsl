// The walk through the elements of a partition, for the work-efficient algorithm and the single pass
// with look-back.

// In bounds: `depth` is at most the number of closes that precede the element in the
// partition, which is less than T. `stack` has one entry more than the partition has
// unmatched closes.

var<workgroup> unmatched: array<u32, W>;

// Writes the links of the partition that begins at `start`. `stack` contains the nodes
// that earlier partitions leave open, as deep as this partition can reach.
fn walk(start: u32, thread: u32, own: Thread) {
    let first = start + thread * K;
    unmatched[thread] = own.unmatched;
    build_tree(thread, own.bic);

    // The thread's own stack.
    var inside = 0u;
    // The remaining opens of the thread `owner`; 0 if unknown.
    var outside = 0u;
    var owner = 0u;
    // Whether the top is in `stack`, and its depth there.
    var beyond = false;
    var depth = 0u;
    // The number of nodes of earlier threads that this thread has closed.
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
