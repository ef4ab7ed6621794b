// The tree over tiles of elements whose leaves count nodes, as (0, count). One
// leaf at least: an empty stream counts its nodes too.
fn counts_filled() -> u32 {
    return max(tiles_around(element_count()), 1u);
}
