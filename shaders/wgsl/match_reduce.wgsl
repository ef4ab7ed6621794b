// match_reduce: computes the effect of each tile on the stack, and the slice that it leaves.
//
//     workgroup  one tile: TILE consecutive elements
//     subgroup   loads the elements of its threads cooperatively; builds the lowest levels of the tree
//     thread     PER_THREAD consecutive elements, as the bits of one or two words (lib/match_elements)
//
//     elements      = the thread's opens and closes
//     unmatched     = its opens that no close of the thread matches
//     build a tree over the threads of (closes, opens); its root is the effect of the tile on the stack
//     before, after = the products of the threads before and after this one
//     survivors     = the lowest unmatched opens, without those that `after` closes
//     slice[opens of `before` that the thread does not close ..] = survivors
//
// The slice of a tile is the stack that the tile leaves, bottom first. Later threads match a thread's opens from the
// top only, so a prefix of them survives, and its length determines it.
//
// Reads the input once. Writes one or three words of bits per word of a thread's elements, one word per element that the
// tile leaves open, and two words per tile.

import package::lib::bits::{low_ones, lowest_ones};
import package::lib::{lanes, match_elements, match_tiles, thread_tree};
import package::lib::match_elements::{ALL_BITS, Elements};
import package::lib::threads::{Local, Workgroup, lane_count, thread_index, workgroup_index};
import package::layout::{Counts, MatchPlan, Params};
import package::constants::{PER_THREAD, PER_WORD, STATUS_ELEMENTS_CLAMPED, TILE, WORDS, WORKGROUP_SIZE};
import package::role::role;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(24) var<uniform> plan: MatchPlan;
@group(0) @binding(3) var<storage, read_write> counts: Counts;
// One tag per element, padded to whole vectors. `role` decodes a tag.
@if(!bits) @group(0) @binding(12) var<storage, read> tags4: array<vec4<u32>>;
// One bit per element, the first in the lowest bit of the first word. A set bit opens, a clear bit closes.
@if(bits) @group(0) @binding(13) var<storage, read> bits_in: array<u32>;
@group(0) @binding(25) var<storage, read_write> pyramid: array<vec2<u32>>;
@group(0) @binding(26) var<storage, read_write> slices: array<u32>;
@group(0) @binding(27) var<storage, read_write> bitmaps: array<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let tile = workgroup_index(workgroup);
    let thread = thread_index(workgroup, local);
    let lanes = lane_count(workgroup);
    if tile == 0u && thread == 0u {
        let is_clamped = params.elements > plan.element_capacity;
        counts = Counts(match_tiles::element_count(), 0u, select(0u, STATUS_ELEMENTS_CLAMPED, is_clamped), 0u);
    }
    if tile >= match_tiles::count() {
        return;
    }
    let elements = load_elements(tile, thread, lanes);
    let unmatched = match_elements::unmatched_opens(elements);
    let own = match_elements::product(elements, unmatched);
    thread_tree::build(thread, lanes, own);
    match_elements::save(tile, thread, elements, unmatched_of_pair(thread, unmatched));
    if thread == 0u {
        match_tiles::store(0u, tile, thread_tree::load(1u));
    }

    let around = thread_tree::sides(thread);
    let survivors = lowest_of_words(unmatched, own.opens - min(own.opens, around.after.closes));
    // The number of opens of earlier threads below this thread's. If any open of this thread survives, no later thread
    // closes those below.
    let height = around.before.opens - min(around.before.opens, own.closes);
    store_slice(tile, thread, survivors, height);
}

// ---- The thread's elements.

// Loads the thread's elements from a bitmap.
@if(bits)
fn load_elements(tile: u32, thread: u32, lanes: u32) -> Elements {
    let first = tile * TILE + thread * PER_THREAD;
    var opens = vec2<u32>(bits_from(first), 0u);
    var all = vec2<u32>(ALL_BITS, 0u);
    @if(two_words) {
        opens.y = bits_from(first + PER_WORD);
        all.y = ALL_BITS;
    }
    return below_count(Elements(opens, opens ^ all), first);
}

// Returns PER_WORD bits of the input. A word is read only if one of its bits is below the count.
@if(bits)
fn bits_from(first: u32) -> u32 {
    let count = match_tiles::element_count();
    let word = first / 32u;
    var bits = 0u;
    if first < count {
        bits = bits_in[word] >> (first % 32u);
    }
    if first % 32u + PER_WORD > 32u && (word + 1u) * 32u < count {
        bits |= bits_in[word + 1u] << (32u - first % 32u);
    }
    return bits & ALL_BITS;
}

// Loads the thread's elements from tags; each thread loads its own vectors.
@if(!bits && !subgroups || !bits && !whole_words)
fn load_elements(tile: u32, thread: u32, lanes: u32) -> Elements {
    return load_alone(tile, thread);
}

// Loads the thread's elements from tags; neighbouring lanes load neighbouring vectors, and exchange roles.
//
// The tags of the 32 elements of a word are 8 vectors. In each of 8 loads, 8 neighbouring lanes load the vectors of one
// word. After that, each lane has 8 bytes, one for each of 8 words (load_roles). A transposition of the 8 x 8 bytes gives
// each lane the 8 bytes of one word. The i-th load of the g-th group of 8 lanes is for lane i * (lanes / 8) + g, so lane l
// now has the word of lane (l % 8) * (lanes / 8) + l / 8. One shuffle moves each word to its own lane.
@if(!bits && subgroups && whole_words)
fn load_elements(tile: u32, thread: u32, lanes: u32) -> Elements {
    let first = tile * TILE + thread * PER_THREAD;
    if lanes < 8u {
        return load_alone(tile, thread);
    }
    let lane = thread % lanes;
    let eighth = lanes / 8u;
    // First the even vectors of each word, then the odd vectors.
    let place = lane / 8u * (PER_THREAD / 4u) + lane % 4u * 2u + lane % 8u / 4u;
    let vector = (first - lane * PER_THREAD) / 4u + place;
    var bytes = vec2<u32>(0u);
    for (var i = 0u; i < 4u; i++) {
        bytes.x |= load_roles(vector + i * eighth * (PER_THREAD / 4u)) << (8u * i);
    }
    for (var i = 0u; i < 4u; i++) {
        bytes.y |= load_roles(vector + (i + 4u) * eighth * (PER_THREAD / 4u)) << (8u * i);
    }
    bytes = lanes::transpose_bytes(bytes, lane);
    let source = (lane % eighth) * 8u + lane / eighth;
    let word = word_of_roles(
        vec2<u32>(lanes::word_of(source, bytes.x), lanes::word_of(source, bytes.y)),
    );
    return below_count(Elements(vec2<u32>(word.x, 0u), vec2<u32>(word.y, 0u)), first);
}

@if(!bits)
fn load_alone(tile: u32, thread: u32) -> Elements {
    let first = tile * TILE + thread * PER_THREAD;
    var roles = vec2<u32>(0u);
    for (var i = 0u; i < PER_WORD / 4u; i++) {
        let four = load_roles(first / 4u + i) << (8u * (i / 2u));
        if i % 2u == 0u {
            roles.x |= four;
        } else {
            roles.y |= four;
        }
    }
    let word = word_of_roles(roles);
    return below_count(Elements(vec2<u32>(word.x, 0u), vec2<u32>(word.y, 0u)), first);
}

// Returns the roles of a vector of four elements as a byte: the opens in the lower half, the closes in the upper half.
//
// In bounds: past the count, the last vector with an element is loaded, so that no load waits for a branch; below_count()
// clears its bits. Only tiles that start below the count are read, so there is such a vector.
@if(!bits)
fn load_roles(vector: u32) -> u32 {
    let tags = tags4[min(vector, (match_tiles::element_count() - 1u) / 4u)];
    // The two bits of each role, one byte per element. 3 is neither open nor close, and word_of_roles() drops it.
    let roles = (role(tags.x) & 3u) + (role(tags.y) & 3u) * 0x100u + (role(tags.z) & 3u) * 0x10000u
        + (role(tags.w) & 3u) * 0x1000000u;
    // In each byte, an open becomes bit 0 and a close bit 4. The multiplication moves the bits of byte i to i bits above
    // bit 24; its terms do not overlap.
    return (((roles | (roles << 3u)) & 0x11111111u) * 0x01020408u) >> 24u;
}

// Returns the opens (x) and closes (y) of a word, given the bytes of its even vectors (x) and odd vectors (y).
@if(!bits)
fn word_of_roles(bytes: vec2<u32>) -> vec2<u32> {
    let low = 0x0f0f0f0fu;
    let first = (bytes.x & low) | ((bytes.y << 4u) & ~low);
    let second = ((bytes.x >> 4u) & low) | (bytes.y & ~low);
    return vec2<u32>(first & ~second, second & ~first);
}

// Clears the bits of elements past the count. `first` is the thread's first element.
fn below_count(elements: Elements, first: u32) -> Elements {
    let count = match_tiles::element_count();
    let left = count - min(count, first);
    var below = elements;
    if left < PER_THREAD {
        let mask = vec2<u32>(low_ones(min(left, 32u)), low_ones(max(left, 32u) - 32u));
        below = Elements(elements.opens & mask, elements.closes & mask);
    }
    return below;
}

// Returns the opens to save as unmatched. With `pairs`, one thread of match_resolve processes the elements of two threads of
// this kernel, so the closes of the later thread also match opens of the earlier one. Reads leaves of the tree.
fn unmatched_of_pair(thread: u32, unmatched: vec2<u32>) -> vec2<u32> {
    @if(pairs)
    if thread % 2u == 0u {
        let opens = thread_tree::load_leaf(thread).opens;
        let closes = thread_tree::load_leaf(thread + 1u).closes;
        return vec2<u32>(lowest_ones(unmatched.x, opens - min(opens, closes)), 0u);
    }
    return unmatched;
}

// Returns the `count` lowest set bits of both words, starting with the first word.
fn lowest_of_words(words: vec2<u32>, count: u32) -> vec2<u32> {
    @if(!two_words)
    return vec2<u32>(lowest_ones(words.x, count), 0u);
    @if(two_words) {
        let first = min(count, countOneBits(words.x));
        return vec2<u32>(lowest_ones(words.x, first), lowest_ones(words.y, count - first));
    }
}

// ---- The slice. It uses the workgroup memory of the tree, which is no longer needed.

// The number of elements that fit in this memory, with padding: STAGED plus a 32nd of it is less than 2 * WORKGROUP_SIZE.
const STAGED = 3u * WORKGROUP_SIZE / 2u;

// Stores the survivors of all threads. Those of this thread start at place `height` of the slice. If a tile leaves all its
// elements open, no slice is stored, because the open at place i is element i.
//
// In bounds: the survivors of a tile have distinct heights, which are below TILE, and `slices` has TILE words per tile.
// Heights are results of lane operations (thread_tree), so places are bounded.
fn store_slice(tile: u32, thread: u32, survivors: vec2<u32>, height: u32) {
    // After the barriers of uniform_root(), no thread reads the tree.
    let opens = thread_tree::uniform_root().opens;
    if opens == TILE {
        return;
    }
    if opens <= STAGED {
        // Few: each thread stages its own survivors, then all threads copy.
        let first = tile * TILE + thread * PER_THREAD;
        let next = stage(survivors.x, height, first);
        @if(two_words)
        _ = stage(survivors.y, next, first + PER_WORD);
        workgroupBarrier();
        for (var i = thread; i < opens; i += WORKGROUP_SIZE) {
            slices[tile * TILE + i] = thread_tree::nodes[padded(i)].x;
        }
    } else {
        // Many: each word stages its bits and its height, then all threads copy, one bit each.
        thread_tree::nodes[WORDS * thread] = vec2<u32>(survivors.x, height);
        @if(two_words)
        thread_tree::nodes[WORDS * thread + 1u] = vec2<u32>(survivors.y, height + countOneBits(survivors.x));
        workgroupBarrier();
        for (var i = thread; i < TILE; i += WORKGROUP_SIZE) {
            let word = thread_tree::nodes[i / PER_WORD];
            let bit = 1u << (i % PER_WORD);
            if (word.x & bit) != 0u {
                slices[tile * TILE + min(word.y + countOneBits(word.x & (bit - 1u)), TILE - 1u)] = tile * TILE + i;
            }
        }
    }
}

// Stages the survivors of a word from `height` on, and returns the height after them.
fn stage(survivors: u32, height: u32, first: u32) -> u32 {
    var at = height;
    for (var rest = survivors; rest != 0u; rest &= rest - 1u) {
        thread_tree::nodes[padded(min(at, STAGED - 1u))] = vec2<u32>(first + firstTrailingBit(rest), 0u);
        at++;
    }
    return at;
}

// Adds an unused place after every 32, which avoids bank conflicts between threads whose heights differ by a power of two.
fn padded(at: u32) -> u32 {
    return at + at / 32u;
}
