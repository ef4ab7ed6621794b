// The product over a thread's part of the stack, up to what was found in it.
fn block_product(tile: u32, found: Found) -> Flow {
    let mask = unmatched[found.leaf];
    let place = bit_below_top(mask, found.depth);
    return flow_product(tile * TILE + found.leaf * PER_THREAD, bits_up_to(mask, place));
}
