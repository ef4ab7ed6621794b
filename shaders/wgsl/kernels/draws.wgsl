// draws: the bounds of every draw, and of every non-local blend.
//
// One thread a chunk of PER_THREAD elements.
//
//     draw:                      its rect inside the clip around it
//     begin of a non-local node: the clip around it, all that it may change
//     anything else:             nothing, for now
//
// These are just what grows the contents of the nodes around, so the union over
// the chunk becomes a leaf of the union tree. Reads 24 bytes an element and 20
// of its enclosing node, writes 16 and 16 a chunk.

fn kernel(group: u32, thread: u32, lanes: u32) {
    let chunk = group * WORKGROUP_SIZE + thread;
    if chunk >= unions_filled() {
        return;
    }
    let first = chunk * PER_THREAD;
    let end = min(first + PER_THREAD, element_count());
    var all_of_chunk = NOTHING;
    for (var element = first; element < end; element++) {
        let tag = tags[element];
        var changed = NOTHING;
        if (tag & ROLE_MASK) == ROLE_DRAW {
            changed = rect_intersect(rects[element], clip_around(nodes_before[element]));
        } else if opens(tag) && (tag & NON_LOCAL) != 0u {
            changed = clip_around(nodes_before[element]);
        }
        bounds[element] = changed;
        all_of_chunk = rect_union(all_of_chunk, changed);
    }
    unions_store(unions_size() + chunk, all_of_chunk);
}

// The clip of what comes after `before` nodes. `before` is at most the number of
// nodes, and `around` names a node or none.
fn clip_around(before: u32) -> vec4<f32> {
    if before == 0u {
        return params.viewport;
    }
    let node = words[plan.around + before - 1u];
    if node == NONE {
        return params.viewport;
    }
    return clips[node];
}
