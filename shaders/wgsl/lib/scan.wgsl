// Scans of what flows down: products over lanes and threads, in order.

import package::kernel::shared_values;
import package::lib::chunks::{Thread, chunks_of, rounds, value};
import package::lib::value::{Value, down_combine, down_identity};

// Inclusive scan inside a chunk: over the `earlier` lanes before the thread's and its own. With `t.lane` of them it is a
// scan of the whole chunk; with fewer, a segmented scan. `earlier` is at most `t.lane`.
fn along_chunk(t: Thread, earlier: u32, own: Value) -> Value {
    var product = own;
    for (var round = 0u; round < rounds(t); round++) {
        let width = 1u << round;
        let before = value(t, product, select(t.lane, t.lane - width, earlier >= width));
        if earlier >= width {
            product = down_combine(before, product);
        }
    }
    return product;
}

// Inclusive scan over the workgroup, whose threads from `count` on give the identity: chunks one after the other, because
// there are few. Uses the first shared values, one for each chunk: no thread may need them before, and all are free after.
fn along_threads(t: Thread, own: Value, count: u32) -> Value {
    let product = along_chunk(t, t.lane, own);
    if t.lane == t.lanes - 1u {
        shared_values[t.chunk] = product;
    }
    workgroupBarrier();
    var before = down_identity();
    let end = min(t.chunk, chunks_of(t, count));
    for (var chunk = 0u; chunk < end; chunk++) {
        before = down_combine(before, shared_values[chunk]);
    }
    workgroupBarrier();
    return down_combine(before, product);
}
