// contents: the union of what changes inside each node.
//
// One thread a node. What is inside a node is a range of elements, from after
// its begin to before its end, or to the end of the stream: a range query on the
// union tree, with the elements of the two chunks at its ends one by one.
//
//     begin:                 contents of it and of its end = union over the range
//     end without a begin:   nothing
//
// Work: two nodes a level of the tree at most, and fewer than 2 * PER_THREAD
// elements.

fn kernel(group: u32, thread: u32, lanes: u32) {
    let node = group * WORKGROUP_SIZE + thread;
    if node >= item_count() {
        return;
    }
    if closes(item_tag(node)) {
        if links[node] == NONE {
            contents[node] = NOTHING;
        }
        return;
    }
    let end_node = words[plan.ends + node];
    var end = element_count();
    if end_node != NONE {
        end = node_elements[end_node];
    }
    let content = union_between(node_elements[node] + 1u, end);
    contents[node] = content;
    if end_node != NONE {
        contents[end_node] = content;
    }
}

// The union over the elements first .. end.
fn union_between(first: u32, end: u32) -> vec4<f32> {
    let chunk = (first + PER_THREAD - 1u) / PER_THREAD;
    let chunk_end = end / PER_THREAD;
    if chunk >= chunk_end {
        return union_one_by_one(first, end);
    }
    let middle = unions_range(chunk, chunk_end);
    let head = union_one_by_one(first, chunk * PER_THREAD);
    let tail = union_one_by_one(chunk_end * PER_THREAD, end);
    return rect_union(head, rect_union(middle, tail));
}

fn union_one_by_one(first: u32, end: u32) -> vec4<f32> {
    var all_of_them = NOTHING;
    for (var element = first; element < end; element++) {
        all_of_them = rect_union(all_of_them, bounds[element]);
    }
    return all_of_them;
}

// The product over the leaves first .. end, in order: from both ends up, taking
// every subtree that lies inside and whose parent does not.
fn unions_range(first: u32, end: u32) -> vec4<f32> {
    var left = NOTHING;
    var right = NOTHING;
    var low = unions_size() + first;
    var high = unions_size() + end;
    while low < high {
        if low % 2u == 1u {
            left = rect_union(left, unions_load(low));
            low++;
        }
        if high % 2u == 1u {
            high--;
            right = rect_union(unions_load(high), right);
        }
        low /= 2u;
        high /= 2u;
    }
    return rect_union(left, right);
}
