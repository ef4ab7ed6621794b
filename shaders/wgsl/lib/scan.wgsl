// Scans of values that flow down: ordered products over lanes and threads.

import package::lib::chunks::{Thread, chunks_of, rounds, value};
import package::lib::shared;
import package::value::{Value, down_combine, down_identity};

// Scans inclusively inside a chunk, over the thread's lane and the `earlier` lanes before it. If `earlier` is t.lane in each
// lane, this scans the whole chunk; if it is less, the scan is segmented. `earlier` is at most t.lane.
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

// Scans inclusively over the workgroup. The threads from `count` on pass the identity. The chunks are multiplied one after
// the other, because there are few. Overwrites the first shared values, one per chunk, which are free again afterwards.
fn along_threads(t: Thread, own: Value, count: u32) -> Value {
    let product = along_chunk(t, t.lane, own);
    if t.lane == t.lanes - 1u {
        shared::store(t.chunk, product);
    }
    workgroupBarrier();
    var before = down_identity();
    let end = min(t.chunk, chunks_of(t, count));
    for (var chunk = 0u; chunk < end; chunk++) {
        before = down_combine(before, shared::load(chunk));
    }
    workgroupBarrier();
    return down_combine(before, product);
}
