// match_reduce: packs the input to bits, and reduces each tile of it.
//
// One workgroup a tile of TILE elements. Neighbouring threads load neighbouring
// vectors of four tags; then thread t owns the PER_THREAD elements (a multiple of
// four) from tile * TILE + t * PER_THREAD on, as the bits of one word.
//
//     nibbles[v] = opens and closes of the v-th vector of the tile
//     word = the nibbles of the thread's elements
//     scan the word from the right:  a close waits; an open takes a waiting
//         close, or stays unmatched
//     build a tree over the threads
//     kept = the unmatched opens that no later thread closes
//     start = how many of the tile's opens earlier threads keep
//     tile_tree leaf of the tile = the root of the threads' tree
//
// What the tile leaves open is its slice of the stack. It is never written out:
// the kept bits are the slice, and the starts say which word holds its p-th entry.
//
// Reads 4 bytes an element; writes 5 words a thread.

const VECTORS = PER_THREAD / 4u;

var<workgroup> nibbles: array<u32, WORKGROUP_SIZE * VECTORS>;

fn kernel(tile: u32, thread: u32) {
    if tile >= tiles_filled() {
        return;
    }
    for (var i = 0u; i < VECTORS; i++) {
        let vector = i * WORKGROUP_SIZE + thread;
        nibbles[vector] = load_nibbles(tile * (TILE / 4u) + vector);
    }
    workgroupBarrier();
    var items = Items(0u, 0u);
    for (var i = 0u; i < VECTORS; i++) {
        let pair = nibbles[thread * VECTORS + i];
        items.opens |= (pair & 15u) << (4u * i);
        items.closes |= (pair >> 4u) << (4u * i);
    }
    let own = reduce_from_right(items);
    block_build(thread, own.stack);

    // tile < tiles of the capacity, so there is room for the tile's words.
    let word = tile * WORKGROUP_SIZE + thread;
    words[plan.opens + word] = items.opens;
    words[plan.closes + word] = items.closes;
    words[plan.unmatched + word] = own.unmatched;

    // Heights on the tile's own stack: `below` the thread's first unmatched open,
    // `height` above its last, `lowest` that later threads come down to.
    let stack_before = block_before(BLOCK_LEAVES, thread).y;
    let below = stack_before - min(stack_before, own.stack.x);
    let height = below + own.stack.y;
    let lowest = height - min(height, block_after(BLOCK_LEAVES, thread).x);
    words[plan.kept + word] = without_top(own.unmatched, height - max(lowest, below));
    words[plan.starts + word] = min(lowest, below);
    if thread == 0u {
        tiles_store(tiles_size() + tile, block[1]);
    }
}

// The opens (low) and closes (high) among four elements. The buffer is padded to
// whole vectors; elements past the count are neither.
fn load_nibbles(vector: u32) -> u32 {
    let count = element_count();
    if vector * 4u >= count {
        return 0u;
    }
    let roles = tags4[vector] & vec4<u32>(ROLE_MASK);
    let inside = vec4<u32>(vector * 4u) + vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(count);
    let bits = vec4<u32>(1u, 2u, 4u, 8u);
    let zero = vec4<u32>(0u);
    let opened = select(zero, bits, inside & (roles == vec4<u32>(ROLE_BEGIN)));
    let closed = select(zero, bits, inside & (roles == vec4<u32>(ROLE_END)));
    return dot(opened, vec4<u32>(1u)) | (dot(closed, vec4<u32>(1u)) << 4u);
}

fn reduce_from_right(items: Items) -> Reduced {
    var waiting = 0u;
    var left_open = 0u;
    for (var j = 0u; j < PER_THREAD; j++) {
        let bit = 1u << (PER_THREAD - 1u - j);
        if (items.closes & bit) != 0u {
            waiting++;
        } else if (items.opens & bit) != 0u {
            if waiting == 0u {
                left_open |= bit;
            } else {
                waiting--;
            }
        }
    }
    return Reduced(vec2<u32>(waiting, countOneBits(left_open)), left_open);
}
