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
//     any kept? append (word, kept, how many earlier threads keep) to the slice
//     tiles_tree leaf of the tile = the root of the threads' tree
//
// What the tile leaves open is its slice of the stack, bottom first. Its entries
// are never written out one by one: a run of them is a word's kept bits.
//
// Reads 4 bytes an element; writes 3 words a thread, and 3 for each run.

const VECTORS = PER_THREAD / 4u;

const KEEPER_WORDS = (WORKGROUP_SIZE + 31u) / 32u;

var<workgroup> nibbles: array<u32, WORKGROUP_SIZE * VECTORS>;
// A bit for each thread that keeps an open.
var<workgroup> keepers: array<atomic<u32>, KEEPER_WORDS>;

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= tiles_filled() {
        return;
    }
    if thread < KEEPER_WORDS {
        atomicStore(&keepers[thread], 0u);
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
    block_build(thread, lanes, own.stack);

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
    let kept = without_top(own.unmatched, height - max(lowest, below));
    if kept != 0u {
        atomicOr(&keepers[thread / 32u], 1u << (thread % 32u));
    }
    workgroupBarrier();
    if kept != 0u {
        // As many runs before it as earlier threads that keep: fewer than threads.
        store_run(tile * WORKGROUP_SIZE + keepers_before(thread), word, kept, min(lowest, below));
    }
    if thread == 0u {
        tiles_store(tiles_size() + tile, block[1]);
        words[plan.runs_of + tile] = keepers_before(WORKGROUP_SIZE);
    }
}

// How many threads before this one keep an open.
fn keepers_before(thread: u32) -> u32 {
    var before = 0u;
    for (var i = 0u; i < thread / 32u; i++) {
        before += countOneBits(atomicLoad(&keepers[i]));
    }
    if thread % 32u != 0u {
        before += countOneBits(atomicLoad(&keepers[thread / 32u]) & ((1u << (thread % 32u)) - 1u));
    }
    return before;
}

fn store_run(run: u32, word: u32, kept: u32, start: u32) {
    words[plan.run_words + run] = word;
    words[plan.run_bits + run] = kept;
    words[plan.run_starts + run] = start;
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
