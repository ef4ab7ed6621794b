// The answer of a search: a leaf, and how far below the top of the leaf's own
// opens. `leaf` is NONE where the search left the tree; then `depth` counts from
// the top of the stack at the start of the tree.
struct Found {
    leaf: u32,
    depth: u32,
}
