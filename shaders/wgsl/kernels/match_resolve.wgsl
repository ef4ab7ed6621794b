// match_resolve: the link of every element is the top of the stack before it.
//
// One workgroup a tile of TILE elements; thread t owns the PER_THREAD elements
// from tile * TILE + t * PER_THREAD on, as the bits of a word, or of two.
//
//     find the entries outside the tile that it looks at (match_outside)
//     build a tree over the threads
//     below[t] = on what thread t's stack stands: an earlier thread and which of
//         its opens lie under there, or outside the tile
//     walk the elements with two words: the thread's own stack, and what is open
//         in the thread below; the highest bit is the top
//         a close takes a bit; where the lower word runs out, go on to what *that*
//         thread stands on
//     store the links, QUADS vectors of four for each thread at a time
//
//     thread   ... s            ...              t
//     word     ... 0 1 1 0 1 0 0 ...    ) ) ( ) ( ( )
//                    | |   `----- below[t]: the top is the 5th element of s
//                    | `--------- after one close
//                    `----------- after two; then below[s]
//
// An element is staged as a code of 16 bits: its place in the tile, or OUTSIDE and
// the slot of an entry outside. PER_WORD entries count as a word, from the highest
// bit down, so that a walk through them is a walk through bits like any other.
//
// Reads 3 words for each of a thread's words of bits (or the input again), 2 words
// for each tile of a window and a word for each entry outside; writes a word an
// element.

const OUTSIDE = 0x8000u;
// Slot 0 holds NONE.
const NO_CODE = OUTSIDE;

// A thread stages so many elements at a time; a bit for each; and where they lie in the
// word that is the thread's own stack.
const ROW = 4u * QUADS;
const ROW_BITS = (1u << ROW) - 1u;
const ROW_START = 32u - ROW;
// Whether the last row of a word is narrower.
const ROW_NARROWS = PER_WORD % ROW != 0u;

// Each thread's unmatched opens, until `below` is known.
var<workgroup> left_opens: array<u32, WORDS * WORKGROUP_SIZE>;

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= tiles_filled() {
        return;
    }
    // Loads that nothing waits for yet.
    let leaving = pyramid_load(0u, tile).x;
    let early = early_node(tile, thread);
    let items = kept_items(tile, thread, lanes);
    let left_open = kept_unmatched(tile, thread, items);
    left_opens[WORDS * thread] = left_open.x;
    if WORDS > 1u {
        left_opens[WORDS * thread + 1u] = left_open.y;
    }
    let needed = find_outside(tile, thread, lanes, needed_by(leaving), early);
    workgroupBarrier();
    if needed > NEAR - PER_WORD {
        storageBarrier();
    }

    let own = thread_value(items, left_open);
    block_build(thread, lanes, own);
    let base = block_find(thread, own.x);
    var under = outside_word(base.depth);
    if base.leaf != NONE {
        under = open_word(base.leaf, left_open_of(base.leaf), base.depth);
    }
    // The top of the stack before the thread: the thread before, or what it stands on.
    var outer = outside_word(0u);
    if thread > 0u {
        outer = top_word(thread - 1u, left_open_of(thread - 1u));
    }
    workgroupBarrier();
    // `below`, for every word, lies where the tree was.
    let code = thread * PER_THREAD;
    block[WORDS * thread] = under;
    if WORDS > 1u {
        block[WORDS * thread + 1u] = select(under, vec2<u32>(code, left_open.x), left_open.x != 0u);
    }
    workgroupBarrier();
    if outer.y == 0u {
        outer = block[outer.x / PER_WORD];
    }

    var walk = Walk(code, 0u, outer.x, outer.y);
    for (var word = 0u; word < WORDS; word++) {
        let opens = select(items.opens.x, items.opens.y, word > 0u);
        let closes = select(items.closes.x, items.closes.y, word > 0u);
        if word > 0u && walk.stack != 0u {
            // What is open of the first word lies below the second, over the rest. Where
            // the second leaves any of it open, `below` says so already; else no other
            // thread looks there.
            if left_open.x == 0u {
                block[WORDS * thread] = vec2<u32>(walk.outer, walk.below);
            }
            walk.outer = code;
            walk.below = walk.stack;
            walk.stack = 0u;
        }
        for (var start = 0u; start < PER_WORD; start += ROW) {
            // The row as the highest bits of a word, what came before it lower.
            walk.inner = code + word * PER_WORD + start - ROW_START;
            walk.stack >>= ROW;
            let row_opens = opens << (ROW_START - start);
            let row_closes = closes << (ROW_START - start);
            var row = Row();
            row.a = next_four(&walk, row_opens, row_closes, ROW_START);
            if QUADS > 1u {
                row.b = next_four(&walk, row_opens, row_closes, ROW_START + 4u);
            }
            if QUADS > 2u {
                row.c = next_four(&walk, row_opens, row_closes, ROW_START + 8u);
                row.d = next_four(&walk, row_opens, row_closes, ROW_START + 12u);
            }
            let gaps = ~(opens | closes) >> start;
            if (gaps & ROW_BITS) != 0u {
                row = without_gaps(row, gaps);
            }
            store_row(tile, thread, lanes, word * PER_WORD + start, row);
        }
    }
}

// What a thread leaves open.
fn left_open_of(owner: u32) -> vec2<u32> {
    let first = left_opens[WORDS * owner];
    if WORDS > 1u {
        return vec2<u32>(first, left_opens[WORDS * owner + 1u]);
    }
    return vec2<u32>(first, 0u);
}

// The word that holds the open which is `depth` below the top of a thread's own,
// and the bits from there on. All bits are 0 where the thread has no opens.
fn open_word(owner: u32, opens: vec2<u32>, depth: u32) -> vec2<u32> {
    let later = select(0u, countOneBits(opens.y), WORDS > 1u);
    let in_later = depth < later;
    let word = select(opens.x, opens.y, in_later);
    let above = select(depth - later, depth, in_later);
    let code = owner * PER_THREAD + select(0u, PER_WORD, in_later);
    return vec2<u32>(code, lowest_bits(word, countOneBits(word) - above));
}

// The same at no depth.
fn top_word(owner: u32, opens: vec2<u32>) -> vec2<u32> {
    let in_later = WORDS > 1u && (opens.y != 0u || opens.x == 0u);
    let code = owner * PER_THREAD + select(0u, PER_WORD, in_later);
    return vec2<u32>(code, select(opens.x, opens.y, in_later));
}

// Where a thread's walk is. Of the word that it is in: the code of bit 0, and what is
// open, its own stack. Of the word below: the same, and never nothing is open there.
struct Walk {
    inner: u32,
    stack: u32,
    outer: u32,
    below: u32,
}

// QUADS times four codes of a thread; the rest are not used.
struct Row {
    a: vec2<u32>,
    b: vec2<u32>,
    c: vec2<u32>,
    d: vec2<u32>,
}

// The codes of four elements, from bit `start` of the row on.
fn next_four(walk: ptr<function, Walk>, opens: u32, closes: u32, start: u32) -> vec2<u32> {
    let bit = 1u << start;
    let first = next_code(walk, opens, closes, bit);
    let second = next_code(walk, opens, closes, bit << 1u);
    let third = next_code(walk, opens, closes, bit << 2u);
    let fourth = next_code(walk, opens, closes, bit << 3u);
    return vec2<u32>(insertBits(first, second, 16u, 16u), insertBits(third, fourth, 16u, 16u));
}

// The code of the top of the stack before an element, which then takes or adds to
// it.
fn next_code(walk: ptr<function, Walk>, opens: u32, closes: u32, bit: u32) -> u32 {
    let inside = (*walk).stack != 0u;
    let top = firstLeadingBit(select((*walk).below, (*walk).stack, inside));
    let code = select((*walk).outer, (*walk).inner, inside) + top;
    let closing = (closes & bit) != 0u;
    let opening = opens & bit;
    let taken = select(0u, 1u << top, closing);
    (*walk).stack = ((*walk).stack & ~taken) | opening;
    if !inside {
        (*walk).below ^= taken;
    }
    if (*walk).below == 0u {
        let under = word_below((*walk).outer);
        (*walk).outer = under.x;
        (*walk).below = under.y;
    }
    return code;
}

// What is neither open nor close has no code; the lowest bits of `gaps` say which.
fn without_gaps(row: Row, gaps: u32) -> Row {
    return Row(
        four_without(row.a, gaps),
        four_without(row.b, gaps >> 4u),
        four_without(row.c, gaps >> 8u),
        four_without(row.d, gaps >> 12u),
    );
}

fn four_without(four: vec2<u32>, gaps: u32) -> vec2<u32> {
    let low = vec2<u32>(gaps & 1u, (gaps >> 2u) & 1u) * 0xffffu;
    let high = vec2<u32>((gaps >> 1u) & 1u, (gaps >> 3u) & 1u) * 0xffff0000u;
    return (four & ~(low | high)) | (vec2<u32>(NO_CODE * 0x10001u) & (low | high));
}

// The word of an entry outside, and the bits from that entry on.
fn outside_word(entry: u32) -> vec2<u32> {
    let last = entry % PER_WORD;
    return vec2<u32>(OUTSIDE + PER_WORD + entry - last, ALL_BITS >> last);
}

// What lies under the lowest open of a word: of one outside, the next one there.
fn word_below(word: u32) -> vec2<u32> {
    if word >= OUTSIDE {
        return vec2<u32>(word + PER_WORD, ALL_BITS);
    }
    return block[word / PER_WORD];
}

// Stores the links that four codes mean, of elements from this one on, the thread's
// `column`-th. The buffer is padded to whole vectors.
fn store_four(tile: u32, element: u32, column: u32, four: vec2<u32>) {
    if (!ROW_NARROWS || column < PER_WORD) && element < element_count() {
        let codes = vec4<u32>(four.x & 0xffffu, four.x >> 16u, four.y & 0xffffu, four.y >> 16u);
        var items = in_tile(tile, codes);
        if ((four.x | four.y) & (OUTSIDE * 0x10001u)) != 0u {
            items = vec4<u32>(
                item_of(tile, codes.x),
                item_of(tile, codes.y),
                item_of(tile, codes.z),
                item_of(tile, codes.w),
            );
        }
        links4[element / 4u] = items;
    }
}

// The elements of a tile that codes number. One operation does for a mask and an `or`.
fn in_tile(tile: u32, codes: vec4<u32>) -> vec4<u32> {
    if (TILE & (TILE - 1u)) == 0u {
        return codes | vec4<u32>(tile * TILE);
    }
    return codes + vec4<u32>(tile * TILE);
}

fn item_of(tile: u32, code: u32) -> u32 {
    var item = tile * TILE + code;
    if code >= OUTSIDE {
        item = outside_load(tile, code - OUTSIDE);
    }
    return item;
}
