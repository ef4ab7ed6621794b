// What the siblings of each chunk do, in the pool, where a tree over the chunks is built.

var<private> sibling_sum: Value;

// The pool is somebody else's until then.
const HOLDS_EARLY = false;

fn sibling_sums_note(thread: u32, lanes: u32, sum: Value) {
    sibling_sum = sum;
}

fn sibling_sums_build(thread: u32, lanes: u32) {
    workgroupBarrier();
    pool_build(thread, lanes, sibling_sum);
}

fn sibling_sums_after(chunk: u32) -> Value {
    return pool_after(chunk);
}
