// Products over the tiles after a tile, in workgroup memory: no more than there are threads. What goes on in other tiles
// begins with the next one. Chunks each have their own, one barrier away: they are few, with subgroups or where there
// are few tiles.

var<private> range_lanes: u32;

// All threads together; cells keep the products, each over the tiles before it in its chunk and itself.
fn range_build(tile: u32, thread: u32, lanes: u32, leaf: Grow) {
    range_lanes = lanes;
    let lane = thread % lanes;
    // A ballot, for then a compiler sees that all lanes go one way, and moves values faster.
    if lane_ballot(tile + 1u + thread < tiles_filled()) != 0u {
        cells[thread] = flow_along_chunk(lane, lanes, lane, leaf);
    }
    workgroupBarrier();
}

// The product over the tiles after this one, up to `end`.
fn range_of(tile: u32, end: u32) -> Grow {
    var all = grow_identity();
    if end <= tile + 1u {
        return all;
    }
    let last = end - tile - 2u;
    for (var chunk = range_lanes - 1u; chunk < last; chunk += range_lanes) {
        all = grow_combine(all, cells[chunk]);
    }
    return grow_combine(all, cells[last]);
}
