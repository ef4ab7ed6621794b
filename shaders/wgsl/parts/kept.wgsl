// What a thread leaves on its tile's stack when the tile is done.

struct Kept {
    // How many nodes of earlier threads lie under the thread's own opens.
    height: u32,
    // How many of the thread's own opens no later thread pops: the lowest.
    count: u32,
}

// Asks the tree over the threads. The thread's own run does `stack`.
fn kept_of(thread: u32, stack: Value) -> Kept {
    let before = block_before(BLOCK_LEAVES, thread).y;
    let height = before - min(before, stack.x);
    let all = height + stack.y;
    let left = all - min(all, block_after(BLOCK_LEAVES, thread).x);
    return Kept(height, left - min(left, height));
}

// The `count` lowest set bits of the mask, which has no fewer.
fn lowest_bits(mask: u32, count: u32) -> u32 {
    return without_top(mask, countOneBits(mask) - count);
}
