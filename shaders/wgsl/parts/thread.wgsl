// What one thread holds: PER_THREAD consecutive items, at most 32, as bits.

struct Items {
    opens: u32,
    closes: u32,
}

// A thread's items reduced: what they do to the stack, and which of its own
// opens they leave open (as many bits as `stack.y`).
struct Reduced {
    stack: vec2<u32>,
    unmatched: u32,
}

// Each thread's unmatched opens, for the others. Written before block_build,
// whose barriers make it visible.
var<workgroup> unmatched: array<u32, WORKGROUP_SIZE>;

fn load_items(first: u32) -> Items {
    var items = Items(0u, 0u);
    let end = min(first + PER_THREAD, item_count());
    for (var item = first; item < end; item++) {
        let tag = item_tag(item);
        let bit = 1u << (item - first);
        items.opens |= select(0u, bit, opens(tag));
        items.closes |= select(0u, bit, closes(tag));
    }
    return items;
}

// The bits are a stack as they stand: the highest set bit is its top.
fn reduce_items(items: Items) -> Reduced {
    var stack = 0u;
    var underflows = 0u;
    for (var j = 0u; j < PER_THREAD; j++) {
        let bit = 1u << j;
        if (items.opens & bit) != 0u {
            stack |= bit;
        } else if (items.closes & bit) != 0u {
            if stack == 0u {
                underflows++;
            } else {
                stack &= ~top_bit(stack);
            }
        }
    }
    return Reduced(vec2<u32>(underflows, countOneBits(stack)), stack);
}

// The highest set bit; the mask is not 0.
fn top_bit(mask: u32) -> u32 {
    return 1u << firstLeadingBit(mask);
}

// The place of the set bit that has `depth` set bits above it. The mask has
// more than `depth` bits, so it is never 0 here.
fn bit_below_top(mask: u32, depth: u32) -> u32 {
    var rest = mask;
    for (var i = 0u; i < depth; i++) {
        rest &= ~top_bit(rest);
    }
    return firstLeadingBit(rest);
}

// The bits of the mask up to and including `place`.
fn bits_up_to(mask: u32, place: u32) -> u32 {
    return mask & (0xffffffffu >> (31u - place));
}
