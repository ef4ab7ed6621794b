// Where each node ends that begins in one tile and ends in another, for `span`: NONE where it never does, and of what
// is no such begin the element itself. Three write, each what no other does: the thread of the element, where
// it is no such begin; the thread of its end (up.wgsl); and of what never ends those of the last tile, which see
// all that is open before it.

// `other` is its other end in the tile, or NONE.
fn ends_note(tile: u32, mine: Mine, other: u32) {
    let survives = (mine.role & ROLE_OPENS) != 0u && other == NONE;
    let is_last = tile + 1u == tiles_filled();
    if mine.exists && (is_last || !survives) {
        words[plan.ends + mine.item] = select(mine.item, NONE, survives);
    }
    if KEEPS_NODES && survives {
        words[plan.slice_nodes + mine.item] = survivor_word(mine.node - outside_nodes, mine.role);
    }
    if is_last {
        // Of what the run has on the stack the tile closes what lies less deep than this.
        let held = countOneBits(outside_open);
        let taken = outside_closed - min(outside_closed, outside_above);
        var open = select(0u, lowest_bits(outside_open, held - taken), held > taken);
        while open != 0u {
            words[plan.ends + mine.at * run_size + firstTrailingBit(open)] = NONE;
            open &= open - 1u;
        }
    }
}
