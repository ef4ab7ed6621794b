// What flows along the survivors of a tile from its earlier chunks.

// All threads together; nobody has used cells before. A chunk mostly holds whole tiles: then nothing does.
fn flow_before(kept: Kept, thread: u32, lanes: u32) -> Flow {
    var before = flow_identity();
    if lanes >= RUNS {
        return before;
    }
    var own = flow_identity();
    for (var rest = kept.opens; rest != 0u; rest &= rest - 1u) {
        own = flow_combine(own, flow_own(kept.first + firstTrailingBit(rest)));
    }
    cells[thread] = own;
    workgroupBarrier();
    let chunk = thread - thread % lanes;
    for (var earlier = thread - thread % RUNS; earlier < chunk; earlier++) {
        before = flow_combine(before, cells[earlier]);
    }
    return before;
}
