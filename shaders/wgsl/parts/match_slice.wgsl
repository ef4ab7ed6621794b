// The slice of a tile: what it leaves open, bottom first. Few entries are staged
// where the tree was, each by its thread, and written in order; many are written by
// as many threads as a word has bits, word after word. Either way what goes to
// global memory at once lies together.

// As much as fits where the tree was, with padding.
const FEW = 3u * WORKGROUP_SIZE;

// Writes the elements of `kept` to the tile's slice, from `place` on; nothing where
// the tile leaves all its elements open. Places are
// below the opens of the tile, and those at most TILE.
fn write_slice(tile: u32, thread: u32, kept: u32, place: u32) {
    // Its barriers end all reading of the tree.
    let opens = workgroupUniformLoad(&block[1]).y;
    let slice = plan.slices + tile * TILE;
    if opens == TILE {
        return;
    }
    if opens <= FEW {
        var at = place;
        for (var rest = kept; rest != 0u; rest &= rest - 1u) {
            stage(at, tile * TILE + thread * PER_THREAD + firstTrailingBit(rest));
            at++;
        }
        workgroupBarrier();
        for (var i = thread; i < opens; i += WORKGROUP_SIZE) {
            words[slice + i] = staged(i);
        }
    } else {
        block[thread] = vec2<u32>(kept, place);
        workgroupBarrier();
        for (var i = thread; i < TILE; i += WORKGROUP_SIZE) {
            let owner = block[i / PER_THREAD];
            let bit = 1u << (i % PER_THREAD);
            if (owner.x & bit) != 0u {
                words[slice + owner.y + countOneBits(owner.x & (bit - 1u))] = tile * TILE + i;
            }
        }
    }
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
