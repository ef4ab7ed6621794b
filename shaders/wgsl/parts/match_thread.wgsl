// Matching alone: what one thread holds, PER_THREAD consecutive elements, at most
// 32, as bits: the first element is the lowest bit.

struct Items {
    opens: u32,
    closes: u32,
}

const ALL_BITS = 0xffffffffu >> (32u - PER_THREAD);

// Elements past the count neither open nor close.
fn within_count(items: Items, first: u32) -> Items {
    let count = element_count();
    let left = count - min(count, first);
    if left >= PER_THREAD {
        return items;
    }
    let inside = (1u << left) - 1u;
    return Items(items.opens & inside, items.closes & inside);
}

// The opens that no close of the same thread takes. Each round takes every pair
// with nothing but gaps between; a pair that was taken is a gap. A one added above
// an open is carried through the gaps above it to what comes next.
fn unmatched_opens(items: Items) -> u32 {
    var opens = items.opens;
    var closes = items.closes;
    var gaps = ~(opens | closes);
    var gaps_reversed = reverseBits(gaps);
    var taken = ((opens << 1u) + gaps) & ~gaps & closes;
    while taken != 0u {
        let taken_reversed = reverseBits(taken);
        let takers_reversed = ((taken_reversed << 1u) + gaps_reversed) & ~gaps_reversed;
        opens &= ~reverseBits(takers_reversed);
        closes &= ~taken;
        gaps = ~(opens | closes);
        gaps_reversed |= taken_reversed | takers_reversed;
        taken = ((opens << 1u) + gaps) & ~gaps & closes;
    }
    return opens;
}

// What the thread does to the stack, as (closes, opens).
fn thread_value(items: Items, left_open: u32) -> Value {
    let held = countOneBits(left_open);
    return Value(held + countOneBits(items.closes) - countOneBits(items.opens), held);
}

// The `count` lowest bits of a mask that has as many: by halves, skip what has
// no more than are wanted.
fn lowest_bits(mask: u32, count: u32) -> u32 {
    if count >= countOneBits(mask) {
        return mask;
    }
    var place = 0u;
    var wanted = count;
    for (var width = 16u; width > 0u; width /= 2u) {
        let here = countOneBits((mask >> place) & ((1u << width) - 1u));
        if wanted >= here {
            wanted -= here;
            place += width;
        }
    }
    return mask & ((1u << place) - 1u);
}
