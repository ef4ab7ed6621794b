// match_reduce: reduces each tile of the input, and lists what it leaves open.
//
// One workgroup a tile of TILE elements; thread t owns the PER_THREAD elements
// from tile * TILE + t * PER_THREAD on, as the bits of a word.
//
//     items = the thread's opens and closes, from the input
//     unmatched = its opens that none of its closes takes
//     build a tree over the threads; its root is what the tile does to the stack
//     before, after = the products of the threads before and after this one
//     kept = the lowest of the unmatched opens, as many as `after` does not close
//     slice[the stack's height below the thread ..] = the elements kept
//
// The slice is the tile's own stack, bottom first. Threads fill it a chunk at a
// time in workgroup memory and write it in order.
//
// Reads the input once; writes 3 words a thread (none with few elements a
// thread) and a word for each element that the tile leaves open.

// As much as fits where the tree was, with padding.
const CHUNK = 3u * WORKGROUP_SIZE;

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= tiles_filled() {
        return;
    }
    let items = input_items(tile, thread, lanes);
    let left_open = unmatched_opens(items);
    keep_items(tile, thread, items, left_open);
    let own = thread_value(items, left_open);
    block_build(thread, lanes, own);
    if thread == 0u {
        pyramid_store(0u, tile, block[1]);
    }
    if tile == 0u && thread == 0u {
        counts.elements = element_count();
        counts.nodes = 0u;
        counts.status =
            select(0u, STATUS_ELEMENTS_CLAMPED, params.elements > plan.element_capacity);
    }

    let height = block_before(BLOCK_LEAVES, thread).y;
    let closed_later = block_after(BLOCK_LEAVES, thread).x;
    var rest = lowest_bits(left_open, own.y - min(own.y, closed_later));
    // Where the thread keeps anything, nothing below it is closed later either.
    var place = height - min(height, own.x);

    // Places are below the opens of the tile, and those at most TILE.
    let first = tile * TILE + thread * PER_THREAD;
    // Its barriers end all reading of the tree.
    let opens = workgroupUniformLoad(&block[1]).y;
    for (var chunk = 0u; chunk < opens; chunk += CHUNK) {
        for (; rest != 0u && place < chunk + CHUNK; rest &= rest - 1u) {
            stage(place - chunk, first + firstTrailingBit(rest));
            place++;
        }
        workgroupBarrier();
        for (var i = thread; i < min(CHUNK, opens - chunk); i += WORKGROUP_SIZE) {
            words[plan.slices + tile * TILE + chunk + i] = staged(i);
        }
        workgroupBarrier();
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
