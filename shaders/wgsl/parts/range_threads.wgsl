// Products over the tiles after a tile, in workgroup memory: no more than there are threads. What
// goes on in other tiles begins with the next one, so that a scan from there has every answer.

// All threads together; cells keep the products, each over the tiles before it and itself.
fn range_build(tile: u32, thread: u32, lanes: u32, leaf: Grow) {
    let first = thread - thread % lanes;
    let all = flow_along(thread, lanes, leaf, tile + 1u + first < tiles_filled());
    cells[thread] = all;
    workgroupBarrier();
}

// The product over the tiles after this one, up to `end`.
fn range_of(tile: u32, end: u32) -> Grow {
    if end <= tile + 1u {
        return grow_identity();
    }
    return cells[end - tile - 2u];
}
