// Sums that stay at the largest number instead of starting again from 0.

alias Value = u32;

const IDENTITY = 0u;

fn combine(a: Value, b: Value) -> Value {
    return a + min(b, ~a);
}

// What the threads before this one hold together, once the tree over them is built.
fn block_before(thread: u32) -> u32 {
    var before = 0u;
    for (var node = BLOCK_LEAVES + thread; node > 1u; node /= 2u) {
        if node % 2u == 1u {
            before = combine(before, block_load(node - 1u));
        }
    }
    return before;
}
