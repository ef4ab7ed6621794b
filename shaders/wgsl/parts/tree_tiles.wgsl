// Tiles of items (nodes, or the elements of a stream of parentheses), of which each
// leaf of a tree, or node of the lowest level of a pyramid, says what its tile does
// to the stack.
fn tiles_filled() -> u32 {
    return tiles_around(item_count());
}
