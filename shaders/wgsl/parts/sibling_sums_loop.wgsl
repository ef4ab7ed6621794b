// What the siblings of each chunk do, one after the other: with subgroups there are few chunks.

// One a chunk, of one element where subgroups are not full.
var<workgroup> sibling_sums: array<Value, WORKGROUP_SIZE>;
var<private> sibling_chunks: u32;

// They are known as soon as they are noted, and need no pool.
const HOLDS_EARLY = true;

fn sibling_sums_note(thread: u32, lanes: u32, sum: Value) {
    sibling_chunks = WORKGROUP_SIZE / lanes;
    if thread % lanes == 0u {
        sibling_sums[thread / lanes] = sum;
    }
}

fn sibling_sums_build(thread: u32, lanes: u32) {}

fn sibling_sums_after(chunk: u32) -> Value {
    var value = IDENTITY;
    for (var later = chunk + 1u; later < sibling_chunks; later++) {
        value = combine(value, sibling_sums[later]);
    }
    return value;
}
