// The elements of a thread of matching: PER_THREAD consecutive elements, as bits of one or two words (WORDS) with PER_WORD
// bits each. The first element is the lowest bit of the first word. A set bit of `opens` is an open, a set bit of
// `closes` a close; an element that is neither has no set bit. If there is one word, the second is 0.
//
// match_reduce saves these bits for match_resolve, in the buffer `bitmaps`:
//
//     PER_THREAD <= 16   one word per thread: its opens, and above them its closes
//     otherwise          three bitmaps of plan.bitmap_words each, one after the other: opens, closes, unmatched opens

import package::kernel::{bitmaps, plan};
import package::lib::bicyclic::Bicyclic;
import package::lib::bits;
import package::lib::bits::lowest_ones;
import package::constants::{PER_WORD, WORDS, WORKGROUP_SIZE};

struct Elements {
    opens: vec2<u32>,
    closes: vec2<u32>,
}

const ALL_BITS = 0xffffffffu >> (32u - PER_WORD);

// The three bitmaps, by number.
@if(!halves) const OPENS = 0u;
@if(!halves) const CLOSES = 1u;
@if(!halves) const UNMATCHED = 2u;

fn count_ones(words: vec2<u32>) -> u32 {
    return countOneBits(words.x) + select(0u, countOneBits(words.y), WORDS > 1u);
}

// Returns the opens that no close of the same thread matches.
fn unmatched_opens(elements: Elements) -> vec2<u32> {
    let first = bits::unmatched_opens(elements.opens.x, elements.closes.x);
    @if(!two_words)
    return vec2<u32>(first, 0u);
    @if(two_words) {
        // Closes of the second word that have no match in it match opens of the first.
        let second = bits::unmatched_opens(elements.opens.y, elements.closes.y);
        let opens = countOneBits(first);
        let closes =
            countOneBits(second) + countOneBits(elements.closes.y) - countOneBits(elements.opens.y);
        return vec2<u32>(lowest_ones(first, opens - min(opens, closes)), second);
    }
}

// Returns the effect of the thread's elements on the stack.
fn product(elements: Elements, unmatched: vec2<u32>) -> Bicyclic {
    let opens = count_ones(unmatched);
    return Bicyclic(opens + count_ones(elements.closes) - count_ones(elements.opens), opens);
}

// Returns the place of a thread's first word in a bitmap. In bounds: tile < tiles of the capacity, and a bitmap has WORDS *
// WORKGROUP_SIZE words per tile. (If two threads of match_reduce correspond to one of match_resolve, match_reduce has twice
// the threads with half the words each.)
fn word_place(tile: u32, thread: u32) -> u32 {
    return (tile * WORKGROUP_SIZE + thread) * WORDS;
}

fn save(tile: u32, thread: u32, elements: Elements, unmatched: vec2<u32>) {
    @if(halves)
    bitmaps[word_place(tile, thread)] = elements.opens.x | (elements.closes.x << 16u);
    @if(!halves) {
        save_words(OPENS, tile, thread, elements.opens);
        save_words(CLOSES, tile, thread, elements.closes);
        save_words(UNMATCHED, tile, thread, unmatched);
    }
}

fn load(tile: u32, thread: u32) -> Elements {
    @if(halves) {
        let both = bitmaps[word_place(tile, thread)];
        return Elements(vec2<u32>(both & 0xffffu, 0u), vec2<u32>(both >> 16u, 0u));
    }
    @else
    return Elements(load_words(OPENS, tile, thread), load_words(CLOSES, tile, thread));
}

fn load_unmatched(tile: u32, thread: u32, elements: Elements) -> vec2<u32> {
    @if(halves)
    return unmatched_opens(elements);
    @else
    return load_words(UNMATCHED, tile, thread);
}

@if(!halves)
fn save_words(bitmap: u32, tile: u32, thread: u32, words: vec2<u32>) {
    let first = bitmap * plan.bitmap_words + word_place(tile, thread);
    bitmaps[first] = words.x;
    @if(two_words)
    bitmaps[first + 1u] = words.y;
}

@if(!halves)
fn load_words(bitmap: u32, tile: u32, thread: u32) -> vec2<u32> {
    let first = bitmap * plan.bitmap_words + word_place(tile, thread);
    @if(two_words)
    return vec2<u32>(bitmaps[first], bitmaps[first + 1u]);
    @else
    return vec2<u32>(bitmaps[first], 0u);
}
