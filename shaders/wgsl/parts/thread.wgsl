// What one thread holds: PER_THREAD consecutive items, at most 32, as bits.

struct Items {
    opens: u32,
    closes: u32,
    non_local: u32,
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

// The highest set bit; the mask is not 0.
fn top_bit(mask: u32) -> u32 {
    return 1u << firstLeadingBit(mask);
}

// The mask without its `depth` highest bits; it has as many.
fn without_top(mask: u32, depth: u32) -> u32 {
    var rest = mask;
    for (var i = 0u; i < depth; i++) {
        rest &= ~top_bit(rest);
    }
    return rest;
}

// The place of the set bit that has `depth` set bits above it. The mask has
// more than `depth` bits, so it is never 0 here.
fn bit_below_top(mask: u32, depth: u32) -> u32 {
    return firstLeadingBit(without_top(mask, depth));
}

// The bits of the mask up to and including `place`.
fn bits_up_to(mask: u32, place: u32) -> u32 {
    return mask & (0xffffffffu >> (31u - place));
}
