// match_reduce: reduces each tile of the input, and lists what it leaves open.
//
// One workgroup a tile of TILE elements; thread t owns the PER_THREAD elements
// from tile * TILE + t * PER_THREAD on, as the bits of a word, or of two.
//
//     items = the thread's opens and closes, from the input
//     unmatched = its opens that none of its closes takes
//     build a tree over the threads; its root is what the tile does to the stack
//     before, after = the products of the threads before and after this one
//     kept = the lowest of the unmatched opens, as many as `after` does not close
//     slice[the stack's height below the thread ..] = the elements kept
//
// The slice is the tile's own stack, bottom first.
//
// Reads the input once; writes 3 words for each of a thread's words of bits (none
// with few elements a thread) and a word for each element that the tile leaves open.

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile == 0u && thread == 0u {
        counts.elements = element_count();
        counts.nodes = 0u;
        counts.nodes_needed = 0u;
        counts.status =
            select(0u, STATUS_ELEMENTS_CLAMPED, params.elements > plan.element_capacity);
    }
    if tile >= tiles_filled() {
        return;
    }
    let items = input_items(tile, thread, lanes);
    let left_open = unmatched_opens(items);
    let own = thread_value(items, left_open);
    block_build(thread, lanes, own);
    keep_items(tile, thread, items, left_open);
    if thread == 0u {
        pyramid_store(0u, tile, block[1]);
    }

    let sides = block_sides(thread);
    let kept = lowest_of_words(left_open, own.y - min(own.y, sides.after.x));
    // Where the thread keeps anything, nothing below it is closed later either.
    let place = sides.before.y - min(sides.before.y, own.x);
    write_slice(tile, thread, kept, place);
}
