// match_resolve: the link of every element is the top of the stack before it.
//
// One workgroup a tile of TILE elements; thread t owns the PER_THREAD elements
// from tile * TILE + t * PER_THREAD on, as the bits of one word.
//
//     build a tree over the threads; below[t] = on what thread t's stack stands:
//         an earlier thread, and which of its opens lie under there
//     near[0 ..] = the runs of the slice that is on top of the stack before the
//         tile, from the top down
//     STAGE elements at a time:
//         walk them with a word as the stack: its highest bit is the top
//         where that stack is empty, the top is outside: the previous thread's
//         opens, then what lies below that thread, and so on; at last the
//         slices of earlier tiles
//         store the staged links, a row of STAGE for each thread
//
// What lies outside is read like a list: the next entry is the next bit of the
// same word, or of the word that lies below. Most of what lies in other tiles is
// near, and waits in workgroup memory; only entries farther off are searched for.
//
// Reads 3 words a thread, 3 * NEAR words, and 2 or so for each run farther off;
// writes 4 bytes an element.

const STAGE = min(8u, PER_THREAD);
const NEAR = min(32u, WORKGROUP_SIZE);
// So many slices are tried from the top down before a search.
const HOPS = 4u;
// One word more a row: threads that write the same column meet no bank twice.
const PITCH = STAGE + 1u;

var<workgroup> staged: array<u32, WORKGROUP_SIZE * PITCH>;
var<workgroup> near_words: array<u32, NEAR>;
var<workgroup> near_bits: array<u32, NEAR>;
var<workgroup> near_starts: array<u32, NEAR>;
var<workgroup> below_thread: array<u32, WORKGROUP_SIZE>;
var<workgroup> below_bits: array<u32, WORKGROUP_SIZE>;

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= tiles_filled() {
        return;
    }
    let word = tile * WORKGROUP_SIZE + thread;
    let items = Items(words[plan.opens + word], words[plan.closes + word]);
    let left_open = words[plan.unmatched + word];
    let held = countOneBits(left_open);
    let underflows = held + countOneBits(items.closes) - countOneBits(items.opens);
    unmatched[thread] = left_open;
    let top_of_tile = load_entry(plan.parents_b + 3u * tile);
    if thread < NEAR {
        load_near(top_of_tile, thread);
    }
    block_build(thread, lanes, vec2<u32>(underflows, held));

    let base = block_find(BLOCK_LEAVES, thread, underflows);
    below_thread[thread] = base.leaf;
    below_bits[thread] = base.depth;
    if base.leaf != NONE {
        below_bits[thread] = without_top(unmatched[base.leaf], base.depth);
    }
    workgroupBarrier();

    let first = tile * TILE + thread * PER_THREAD;
    var outside = outside_of(tile, thread, top_of_tile);
    var stack = 0u;
    for (var start = 0u; start < PER_THREAD; start += STAGE) {
        // Elements whose top is outside.
        var rest = 0u;
        for (var j = 0u; j < STAGE; j++) {
            let bit = 1u << (start + j);
            let opening = (items.opens & bit) != 0u;
            let closing = (items.closes & bit) != 0u;
            let top = firstLeadingBit(stack);
            staged[thread * PITCH + j] = select(NONE, first + top, opening || closing);
            if stack == 0u && (opening || closing) {
                rest |= bit;
            }
            if opening {
                stack |= bit;
            } else if closing {
                stack &= ~(1u << (top & 31u));
            }
        }
        for (; rest != 0u; rest &= rest - 1u) {
            let place = firstTrailingBit(rest);
            staged[thread * PITCH + place - start] = entry_item(outside);
            if (items.closes & (1u << place)) != 0u {
                outside = pop_outside(tile, outside, top_of_tile);
            }
        }
        workgroupBarrier();
        store_rows(tile, thread, start);
        workgroupBarrier();
    }
}

// STAGE / 4 threads store a row together.
fn store_rows(tile: u32, thread: u32, start: u32) {
    for (var i = 0u; i < STAGE / 4u; i++) {
        let vector = i * WORKGROUP_SIZE + thread;
        let row = vector / (STAGE / 4u);
        let column = 4u * (vector % (STAGE / 4u));
        let element = tile * TILE + row * PER_THREAD + start + column;
        let at = row * PITCH + column;
        // The buffer is padded to whole vectors; the last stage may be narrower.
        if start + column < PER_THREAD && element < element_count() {
            links4[element / 4u] =
                vec4<u32>(staged[at], staged[at + 1u], staged[at + 2u], staged[at + 3u]);
        }
    }
}

// The `index`-th run from the top entry of the stack before the tile down, if the
// slice has as many.
fn load_near(top: Entry, index: u32) {
    near_words[index] = NONE;
    near_bits[index] = 0u;
    near_starts[index] = 0u;
    if top.word != NONE && index <= top.run % WORKGROUP_SIZE {
        let run = top.run - index;
        near_words[index] = words[plan.run_words + run];
        near_bits[index] = select(words[plan.run_bits + run], top.bits, index == 0u);
        near_starts[index] = words[plan.run_starts + run];
    }
}

// The top of the stack before the thread's first element.
fn outside_of(tile: u32, thread: u32, top_of_tile: Entry) -> Entry {
    if thread == 0u {
        return top_of_tile;
    }
    let bits = unmatched[thread - 1u];
    if bits == 0u {
        return outside_below(tile, thread - 1u, top_of_tile);
    }
    return Entry(tile * WORKGROUP_SIZE + thread - 1u, bits, 0u);
}

// What a thread's stack stands on.
fn outside_below(tile: u32, thread: u32, top_of_tile: Entry) -> Entry {
    let under = below_thread[thread];
    let bits = below_bits[thread];
    if under == NONE {
        return outside_tile(tile, bits, top_of_tile);
    }
    return Entry(tile * WORKGROUP_SIZE + under, bits, 0u);
}

// The entry that is `depth` below the top of the stack before this tile: in the
// slice on top, or a few slices further down, each on what the one above stands;
// else by search.
fn outside_tile(tile: u32, depth: u32, top_of_tile: Entry) -> Entry {
    let held = near_starts[0] + countOneBits(near_bits[0]);
    if depth < held {
        let near = near_entry(held - 1u - depth, top_of_tile.run);
        if near.word != NONE {
            return near;
        }
    } else {
        var slice = top_of_tile;
        var left = depth;
        var opens = held;
        for (var hop = 0u; hop < HOPS; hop++) {
            if slice.word == NONE {
                return BOTTOM;
            }
            if left < opens {
                return slice_at(slice.run / WORKGROUP_SIZE, opens - 1u - left);
            }
            left -= opens;
            slice = load_entry(plan.parents_a + 3u * (slice.run / WORKGROUP_SIZE));
            if left < countOneBits(slice.bits) {
                return Entry(slice.word, without_top(slice.bits, left), slice.run);
            }
            if slice.word != NONE {
                opens = words[plan.run_starts + slice.run] + countOneBits(slice.bits);
            }
        }
    }
    return slice_entry(tiles_find(tiles_size(), tile, depth));
}

// Entry `position` of the slice on top, if it is near: in the first run from the
// top down that starts at or before it.
fn near_entry(position: u32, top_run: u32) -> Entry {
    var index = 0u;
    for (var step = NEAR / 2u; step > 0u; step /= 2u) {
        if near_starts[index + step - 1u] > position {
            index += step;
        }
    }
    if near_starts[index] > position {
        return BOTTOM;
    }
    let bits = near_bits[index];
    let above = near_starts[index] + countOneBits(bits) - 1u - position;
    return Entry(near_words[index], without_top(bits, above), top_run - index);
}

fn pop_outside(tile: u32, top: Entry, top_of_tile: Entry) -> Entry {
    if top.word == NONE {
        return top;
    }
    let bits = top.bits & ~top_bit(top.bits);
    if bits != 0u {
        return Entry(top.word, bits, top.run);
    }
    if top.word / WORKGROUP_SIZE == tile {
        return outside_below(tile, top.word % WORKGROUP_SIZE, top_of_tile);
    }
    let index = top_of_tile.run - top.run + 1u;
    if index < NEAR && top.run % WORKGROUP_SIZE != 0u
        && top.run / WORKGROUP_SIZE == top_of_tile.run / WORKGROUP_SIZE {
        return Entry(near_words[index], near_bits[index], top.run - 1u);
    }
    return slice_under(top.run);
}
