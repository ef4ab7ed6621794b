// The slices of the stack that the tiles leave open, as runs of kept bits. A
// tile's runs lie from tile * WORKGROUP_SIZE on, bottom first.

// An open node: the highest of `bits`, which are opens of the word `word`. The
// other bits are open under it. In another tile's slice, `run` says which run it
// is in. `word` is NONE at the bottom of the stack.
struct Entry {
    word: u32,
    bits: u32,
    run: u32,
}

const BOTTOM = Entry(NONE, 0u, 0u);

fn load_entry(at: u32) -> Entry {
    return Entry(words[at], words[at + 1u], words[at + 2u]);
}

fn store_entry(at: u32, entry: Entry) {
    words[at] = entry.word;
    words[at + 1u] = entry.bits;
    words[at + 2u] = entry.run;
}

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

// Entry `position` of a tile's slice, from the bottom: it is in the last run that
// starts at or before it. The starts ascend from 0, and there are at most
// WORKGROUP_SIZE runs.
fn slice_at(tile: u32, position: u32) -> Entry {
    let end = tile * WORKGROUP_SIZE + words[plan.runs_of + tile];
    var run = tile * WORKGROUP_SIZE;
    for (var step = WORKGROUP_SIZE / 2u; step > 0u; step /= 2u) {
        if run + step < end && words[plan.run_starts + run + step] <= position {
            run += step;
        }
    }
    let bits = words[plan.run_bits + run];
    let above = words[plan.run_starts + run] + countOneBits(bits) - 1u - position;
    return Entry(words[plan.run_words + run], without_top(bits, above), run);
}

// The entry under the lowest of a run's: in the same slice, or on what its tile
// stands.
fn slice_under(run: u32) -> Entry {
    if run % WORKGROUP_SIZE == 0u {
        return load_entry(plan.parents_a + 3u * (run / WORKGROUP_SIZE));
    }
    return Entry(words[plan.run_words + run - 1u], words[plan.run_bits + run - 1u], run - 1u);
}
