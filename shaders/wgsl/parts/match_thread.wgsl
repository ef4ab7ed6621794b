// Matching alone: what one thread holds, PER_THREAD consecutive elements, as the
// bits of WORDS words of PER_WORD, one or two: the first element is the lowest bit
// of the first word.

struct Items {
    opens: vec2<u32>,
    closes: vec2<u32>,
}

const ALL_BITS = 0xffffffffu >> (32u - PER_WORD);

fn count_bits(words: vec2<u32>) -> u32 {
    return countOneBits(words.x) + select(0u, countOneBits(words.y), WORDS > 1u);
}

// Elements past the count neither open nor close.
fn within_count(items: Items, first: u32) -> Items {
    let count = element_count();
    let left = count - min(count, first);
    var inside = items;
    if left < PER_THREAD {
        let mask = vec2<u32>(lower_bits(min(left, 32u)), lower_bits(max(left, 32u) - 32u));
        inside = Items(items.opens & mask, items.closes & mask);
    }
    return inside;
}

// So many ones, at most 32.
fn lower_bits(count: u32) -> u32 {
    return select((1u << (count & 31u)) - 1u, 0xffffffffu, count == 32u);
}

// The opens that no close of the same thread takes.
fn unmatched_opens(items: Items) -> vec2<u32> {
    let first = word_unmatched(items.opens.x, items.closes.x);
    if WORDS == 1u {
        return vec2<u32>(first, 0u);
    }
    // The second word's closes that are left take from the first word's opens.
    let second = word_unmatched(items.opens.y, items.closes.y);
    let held = countOneBits(first);
    let closes =
        countOneBits(second) + countOneBits(items.closes.y) - countOneBits(items.opens.y);
    return vec2<u32>(lowest_bits(first, held - min(held, closes)), second);
}

// What the thread does to the stack, as (closes, opens).
fn thread_value(items: Items, left_open: vec2<u32>) -> Value {
    let held = count_bits(left_open);
    return Value(held + count_bits(items.closes) - count_bits(items.opens), held);
}

// The `count` lowest bits of both words, the first word's first.
fn lowest_of_words(words: vec2<u32>, count: u32) -> vec2<u32> {
    if WORDS == 1u {
        return vec2<u32>(lowest_bits(words.x, count), 0u);
    }
    let first = min(count, countOneBits(words.x));
    return vec2<u32>(lowest_bits(words.x, first), lowest_bits(words.y, count - first));
}
