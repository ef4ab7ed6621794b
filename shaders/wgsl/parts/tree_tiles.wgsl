// The tree over tiles of items (nodes, or the elements of a stream of
// parentheses): each leaf is what its tile does to the stack.
fn tiles_filled() -> u32 {
    return tiles_around(item_count());
}
