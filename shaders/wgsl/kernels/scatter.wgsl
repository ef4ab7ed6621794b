// scatter: the bounds of every node, to its place among the elements.
//
// One thread a node; begins write for their ends too. A non-local blend already
// has its bounds at its begin; an end without a begin keeps the nothing it has.

fn kernel(group: u32, thread: u32, lanes: u32) {
    let node = group * WORKGROUP_SIZE + thread;
    if node >= item_count() {
        return;
    }
    let tag = item_tag(node);
    if closes(tag) {
        return;
    }
    let element = node_elements[node];
    let non_local = (tag & NON_LOCAL) != 0u;
    var changed = contents[node];
    if non_local {
        changed = bounds[element];
    } else {
        bounds[element] = changed;
    }
    let end_node = words[plan.ends + node];
    if end_node != NONE {
        bounds[node_elements[end_node]] = changed;
    }
}
