// Products over the items (tiles, or bundles of them) after one, in workgroup memory: no more than there are threads. What
// goes on in other items begins with the next one. Chunks each have their own, one barrier away: they are few, with
// subgroups or where there are few items.

var<private> later_lanes: u32;

// Of `items` in all, after this one, each thread with what one has (`leaf`). All threads together; cells keep the
// products, each over those before it in its chunk and itself.
fn later_build(item: u32, items: u32, thread: u32, lanes: u32, leaf: Grow) {
    later_lanes = lanes;
    let lane = thread % lanes;
    // A ballot, for then a compiler sees that all lanes go one way, and moves values faster.
    if lane_ballot(item + 1u + thread < items) != 0u {
        cells[thread] = flow_along_chunk(lane, lanes, lane, leaf);
    }
    workgroupBarrier();
}

// The product over the items after this one, up to `end`.
fn later_of(item: u32, end: u32) -> Grow {
    var all = grow_identity();
    if end <= item + 1u {
        return all;
    }
    let last = end - item - 2u;
    for (var chunk = later_lanes - 1u; chunk < last; chunk += later_lanes) {
        all = grow_combine(all, cells[chunk]);
    }
    return grow_combine(all, cells[last]);
}
