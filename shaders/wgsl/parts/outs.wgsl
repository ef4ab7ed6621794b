// What flows from the elements that a tile looks at in others, `depth` below the top of the stack before it.
//
// The values of a tile are those of its slice, from its first slot on, and these, from its last slot back.
// There is room for both: it leaves no more open than it does not close. Below all that it closes is what
// it stands on, whose value is the tile's base.

// `depth` is at most `closes`, which is at most TILE: below that the slot is one of the tile's own.
fn out_at(tile: u32, closes: u32, depth: u32) -> u32 {
    if depth == closes {
        return node_base(0u, tile);
    }
    return plan.values + (tile + 1u) * TILE - 1u - depth;
}
