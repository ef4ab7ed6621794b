// Rows of codes through workgroup memory: QUADS threads store a row together, so
// that what goes to global memory at once is in pieces of 16 * QUADS bytes.

fn store_row(tile: u32, thread: u32, lanes: u32, start: u32, row: Row) {
    block[staged_at(thread, 0u)] = row.a;
    if QUADS > 1u {
        block[staged_at(thread, 1u)] = row.b;
    }
    if QUADS > 2u {
        block[staged_at(thread, 2u)] = row.c;
        block[staged_at(thread, 3u)] = row.d;
    }
    workgroupBarrier();
    for (var i = 0u; i < QUADS; i++) {
        let at = i * WORKGROUP_SIZE + thread;
        let owner = at / QUADS;
        let quad = at % QUADS;
        let column = start + 4u * quad;
        let element = tile * TILE + owner * PER_THREAD + column;
        store_four(tile, element, column, block[staged_at(owner, quad)]);
    }
    workgroupBarrier();
}

// Where four codes of a row are: after the words below. Rows shift by turns, so
// that threads which write one column, and threads which read four rows, meet in
// no bank.
fn staged_at(owner: u32, quad: u32) -> u32 {
    let turn = (owner / (16u / QUADS)) & (QUADS - 1u);
    return WORDS * WORKGROUP_SIZE + owner * QUADS + (quad ^ turn);
}
