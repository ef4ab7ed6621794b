// Members of a workgroup (threads of a tile, tiles of a group) hand values down to
// each other by pointer jumping.
//
// A member's stack stands on a node that an earlier member opened, its parent. It
// brings the product over the parent's part of the stack up to that node; to have
// the product over everything below its own stack it needs the parent's value too,
// and its parent's. Each round doubles how far back the value reaches, so
// log2(WORKGROUP_SIZE) rounds reach the first member.
//
//     round 0:   t <- p        round 1:   t <- p <- pp       round 2: four more
//
// Values lie in the lower half of `cells`, parents in the x of the upper half of
// `block`, and in its y how far back the value has come: the member at the end of
// the chain, once all are settled.
//
// Valid after: flow_settle, in every thread. A barrier must part it from what read
// those halves before.

fn flow_settle(thread: u32, parent: u32, value: Flow) {
    var up = parent;
    var last = thread;
    var product = value;
    block[WORKGROUP_SIZE + thread] = Value(up, last);
    cells[thread] = product;
    for (var reach = 1u; reach < WORKGROUP_SIZE; reach *= 2u) {
        workgroupBarrier();
        if up != NONE {
            product = flow_combine(cells[up], product);
            let next = block[WORKGROUP_SIZE + up];
            up = next.x;
            last = next.y;
        }
        workgroupBarrier();
        block[WORKGROUP_SIZE + thread] = Value(up, last);
        cells[thread] = product;
    }
    workgroupBarrier();
}

fn flow_settled(thread: u32) -> Flow {
    return cells[thread];
}

// The member at the end of the chain.
fn flow_last(thread: u32) -> u32 {
    return block[WORKGROUP_SIZE + thread].y;
}
