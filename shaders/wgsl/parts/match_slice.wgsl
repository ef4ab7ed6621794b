// The slice of a tile: what it leaves open, bottom first. Few entries are staged
// where the tree was, each by its thread, and written in order; many are written by
// as many threads as a word has bits, word after word. Either way what goes to
// global memory at once lies together.

// As much as fits where the tree was, one a node, with padding: FEW entries and a
// 32nd of them are fewer than 2 * WORKGROUP_SIZE.
const FEW = 3u * WORKGROUP_SIZE / 2u;

// Writes the elements of `kept` to the tile's slice, from `place` on; nothing where
// the tile leaves all its elements open. Places are below the opens of the tile, and
// those at most TILE.
fn write_slice(tile: u32, thread: u32, kept: vec2<u32>, place: u32) {
    // Its barriers end all reading of the tree.
    let opens = workgroupUniformLoad(&block[1]).y;
    let slice = plan.slices + tile * TILE;
    if opens == TILE {
        return;
    }
    if opens <= FEW {
        let first = tile * TILE + thread * PER_THREAD;
        let next = stage_word(kept.x, place, first);
        if WORDS > 1u {
            _ = stage_word(kept.y, next, first + PER_WORD);
        }
        workgroupBarrier();
        for (var i = thread; i < opens; i += WORKGROUP_SIZE) {
            words[slice + i] = block[padded(i)].x;
        }
    } else {
        block[WORDS * thread] = vec2<u32>(kept.x, place);
        if WORDS > 1u {
            block[WORDS * thread + 1u] = vec2<u32>(kept.y, place + countOneBits(kept.x));
        }
        workgroupBarrier();
        for (var i = thread; i < TILE; i += WORKGROUP_SIZE) {
            let owner = block[i / PER_WORD];
            let bit = 1u << (i % PER_WORD);
            if (owner.x & bit) != 0u {
                words[slice + owner.y + countOneBits(owner.x & (bit - 1u))] = tile * TILE + i;
            }
        }
    }
}

// Stages what a word keeps, from `place` on; returns the place after it.
fn stage_word(kept: u32, place: u32, first: u32) -> u32 {
    var at = place;
    for (var rest = kept; rest != 0u; rest &= rest - 1u) {
        // A whole node: writing one half of it would race with its other half.
        block[padded(at)] = vec2<u32>(first + firstTrailingBit(rest), 0u);
        at++;
    }
    return at;
}

// The padding keeps threads that write runs of a power of two from meeting in one
// bank.
fn padded(at: u32) -> u32 {
    return at + at / 32u;
}
