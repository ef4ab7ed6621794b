// The slice of a tile: what it leaves open, bottom first. Few entries are staged
// where the tree was, each by its thread, and written in order; many are written by
// as many threads as a word has bits, word after word. Either way what goes to
// global memory at once lies together.

// As much as fits where the tree was, with padding.
const FEW = 3u * WORKGROUP_SIZE;

// Writes the elements of `kept` to the tile's slice, from `place` on; nothing where
// the tile leaves all its elements open. Places are
// below the opens of the tile, and those at most TILE.
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
            let end = stage_word(kept.y, next, first + PER_WORD);
        }
        workgroupBarrier();
        for (var i = thread; i < opens; i += WORKGROUP_SIZE) {
            words[slice + i] = staged(i);
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
        stage(at, first + firstTrailingBit(rest));
        at++;
    }
    return at;
}

// Two words a node. The padding keeps threads that write runs of a power of two
// from meeting in one bank.
fn stage(at: u32, item: u32) {
    let place = at + at / 32u;
    block[place / 2u][place % 2u] = item;
}

fn staged(at: u32) -> u32 {
    let place = at + at / 32u;
    return block[place / 2u][place % 2u];
}
