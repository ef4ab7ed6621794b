// Products over the items (tiles, or bundles of them) after one, in workgroup memory: no more than there are threads. What
// goes on in other items begins with the next one, so that a scan from there has every answer.

// Of `items` in all, after this one, each thread with what one has (`leaf`). All threads together; cells keep the
// products, each over those before it and itself.
fn later_build(item: u32, items: u32, thread: u32, lanes: u32, leaf: Grow) {
    let first = thread - thread % lanes;
    let all = flow_along(thread, lanes, leaf, item + 1u + first < items);
    cells[thread] = all;
    workgroupBarrier();
}

// The product over the items after this one, up to `end`.
fn later_of(item: u32, end: u32) -> Grow {
    if end <= item + 1u {
        return grow_identity();
    }
    return cells[end - item - 2u];
}
