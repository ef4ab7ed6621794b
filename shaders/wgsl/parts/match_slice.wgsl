// The slices of the stack that the tiles leave open, as kept bits.

// An open node: the highest of `bits`, which are opens of the word `word`. The
// other bits are open under it. `word` is NONE at the bottom of the stack.
struct Entry {
    word: u32,
    bits: u32,
}

const BOTTOM = Entry(NONE, 0u);

// The element that an entry is.
fn entry_item(entry: Entry) -> u32 {
    if entry.word == NONE {
        return NONE;
    }
    return entry.word * PER_THREAD + firstLeadingBit(entry.bits);
}

// The entry that a search over the tiles found.
fn slice_entry(found: Found) -> Entry {
    if found.leaf == NONE {
        return BOTTOM;
    }
    // A tile holds more opens than the depth in it that a search finds.
    let held = tiles_load(tiles_size() + found.leaf).y;
    return slice_at(found.leaf, held - 1u - found.depth);
}

// Entry `position` of a tile's slice, from the bottom: it is in the last word that
// starts at or before it. The starts ascend, the first is 0.
fn slice_at(tile: u32, position: u32) -> Entry {
    var word = tile * WORKGROUP_SIZE;
    for (var step = WORKGROUP_SIZE / 2u; step > 0u; step /= 2u) {
        if words[plan.starts + word + step] <= position {
            word += step;
        }
    }
    let bits = words[plan.kept + word];
    let above = words[plan.starts + word] + countOneBits(bits) - 1u - position;
    return Entry(word, without_top(bits, above));
}

// The entry under the lowest of a word's: in the same slice, or on what its tile
// stands.
fn slice_under(word: u32) -> Entry {
    let tile = word / WORKGROUP_SIZE;
    let start = words[plan.starts + word];
    if start == 0u {
        return Entry(words[plan.parents_a + tile], words[plan.parents_b + tile]);
    }
    // start > 0, so the word is not the first of its tile.
    let bits = words[plan.kept + word - 1u];
    if bits != 0u {
        return Entry(word - 1u, bits);
    }
    return slice_at(tile, start - 1u);
}
