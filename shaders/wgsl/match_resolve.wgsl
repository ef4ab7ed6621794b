// match_resolve: finds the link of every element, which is the open on top of the stack before it.
//
//     workgroup  one tile: TILE consecutive elements
//     subgroup   searches the nearest tiles for the incoming stack; builds the lowest levels of the tree; each group of
//                QUADS lanes transposes codes before storing them as links
//     thread     PER_THREAD consecutive elements, as the bits of one or two words (lib/match_elements)
//
//     find the opens of the incoming stack that the tile's elements need (lib/match_incoming)
//     build a tree over the threads of (closes, opens)
//     below[t] = the word below the opens that thread t leaves: the word of an earlier thread, with only the opens that
//                are still open; or a word of the incoming stack
//     word before thread t = the opens that thread t - 1 leaves; if there are none, below[t - 1]
//     walk the elements with two words: `own`, the thread's own opens, and `below`, at first the word before the thread
//         the top of the stack is the highest bit of `own`, or of `below` if `own` is empty
//         a close clears that bit; an open sets its bit in `own`
//         when `below` is empty, continue with below[..] of the thread that left the word
//     store the links
//
// So the stack is a list of words, linked by below[..]. This example shows the bits of thread s and the elements of
// thread t. The threads between them leave nothing open:
//
//     thread   ... s            ...              t
//     word     ... 0 1 1 0 1 0 0 ...    ) ) ( ) ( ( )
//                    | |   `----- before t: the top is the 5th element of s
//                    | `--------- after one close
//                    `----------- after two closes, the word is below[t]; the next one is below[s]
//
// Until it is stored, a link is a 16-bit code: a place in the tile, or INCOMING + the *position* of an incoming open, which
// is its index in a table. PER_WORD positions count as one word, so the walk has no special case.
//
// Reads one word per thread if it has up to 16 elements, otherwise three words per 32 elements; and one word per incoming
// open. Writes one word per element. An open that is not cached is read for every link to it and, if spilled, written first. The
// search reads two words per node of the pyramid, and some nodes more than once; each subgroup loads the nearest tiles
// separately.

import package::lib::bits::lowest_ones;
import package::lib::{lanes, match_elements, match_incoming, match_tiles, thread_tree};
import package::lib::match_elements::ALL_BITS;
import package::lib::threads::{Local, Workgroup, lane_count, thread_index, workgroup_index};
import package::layout::{MatchPlan, Params};
import package::constants::{NONE, PER_THREAD, PER_WORD, QUADS, TILE, WORDS, WORKGROUP_SIZE};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(24) var<uniform> plan: MatchPlan;
// One link per element, padded to whole vectors.
@group(0) @binding(14) var<storage, read_write> links4: array<vec4<u32>>;
@group(0) @binding(25) var<storage, read_write> pyramid: array<vec2<u32>>;
@group(0) @binding(26) var<storage, read_write> slices: array<u32>;
@group(0) @binding(27) var<storage, read_write> bitmaps: array<u32>;

// Codes fit in 16 bits: TILE + 2 * PER_WORD <= 0x8000, by Variant::MATCH_TILE (shaders/src/variant.rs).
const INCOMING = 0x8000u;
// Position 0 contains NONE.
const NO_CODE = INCOMING;

// A *row* consists of the elements whose codes a thread computes at once: QUADS vectors of four.
const ROW = 4u * QUADS;
const ROW_BITS = (1u << ROW) - 1u;
// The own stack is a window of 32 elements that ends with the row, so element j of a row is always bit ROW_START + j,
// and masks are constants.
const ROW_START = 32u - ROW;
// Whether the last row of a word has fewer elements. This is true only if options set PER_THREAD to 12, 20, 24 or 28.
const ROW_NARROWS = PER_WORD % ROW != 0u;

// Each thread's unmatched opens, until below[..] is known.
var<workgroup> unmatched_of: array<u32, WORDS * WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let tile = workgroup_index(workgroup);
    let thread = thread_index(workgroup, local);
    let lanes = lane_count(workgroup);
    if tile >= match_tiles::count() {
        return;
    }
    // Independent loads are issued first.
    let closes_out = match_tiles::load(0u, tile).closes;
    let early = match_incoming::load_early(tile, thread);
    let elements = match_elements::load(tile, thread);
    let unmatched = match_elements::load_unmatched(tile, thread, elements);
    unmatched_of[WORDS * thread] = unmatched.x;
    @if(two_words)
    unmatched_of[WORDS * thread + 1u] = unmatched.y;
    let needed = match_incoming::find(tile, thread, lanes, closes_out, early);
    workgroupBarrier();
    // Spilled opens are in storage. `needed` is uniform: see find().
    if needed > match_incoming::CACHED_MOST {
        storageBarrier();
    }

    // below[thread]: the top of the stack after the thread's closes have matched opens of earlier threads.
    let own = match_elements::product(elements, unmatched);
    thread_tree::build(thread, lanes, own);
    let base = thread_tree::find(thread, own.closes);
    var below = incoming_word(base.depth);
    if base.leaf != NONE {
        below = word_at_depth(base.leaf, unmatched_by(base.leaf), base.depth);
    }
    // The word before the thread: the opens that the previous thread leaves. If there are none, it is below[thread - 1],
    // which is loaded after the next two barriers.
    var before = incoming_word(0u);
    if thread > 0u {
        before = top_word(thread - 1u, unmatched_by(thread - 1u));
    }
    workgroupBarrier();
    // below[..], one word for each word of elements, replaces the tree in memory.
    let code = thread * PER_THREAD;
    store_below(WORDS * thread, below);
    @if(two_words)
    store_below(WORDS * thread + 1u, word_or(Word(code, unmatched.x), below));
    workgroupBarrier();
    if before.bits == 0u {
        before = load_below(before.code / PER_WORD);
    }

    var stack = Stack(Word(code, 0u), before);
    for (var word_index = 0u; word_index < WORDS; word_index++) {
        let opens = select(elements.opens.x, elements.opens.y, word_index > 0u);
        let closes = select(elements.closes.x, elements.closes.y, word_index > 0u);
        @if(two_words)
        if word_index > 0u && stack.own.bits != 0u {
            // The remaining opens of the first word become the word below the second. If the thread leaves any of them,
            // below[..] of the first word is already stored. Otherwise no other thread reaches it, and it is stored now.
            // PER_WORD is 32 here, so bit i of the own stack is element i of the first word.
            if unmatched.x == 0u {
                store_below(WORDS * thread, stack.below);
            }
            stack.below = Word(code, stack.own.bits);
            stack.own.bits = 0u;
        }
        for (var start = 0u; start < PER_WORD; start += ROW) {
            start_row(&stack, code + word_index * PER_WORD + start);
            let row_opens = opens << (ROW_START - start);
            let row_closes = closes << (ROW_START - start);
            var row = Row();
            row.a = next_four(&stack, row_opens, row_closes, ROW_START);
            if QUADS > 1u {
                row.b = next_four(&stack, row_opens, row_closes, ROW_START + 4u);
            }
            if QUADS > 2u {
                row.c = next_four(&stack, row_opens, row_closes, ROW_START + 8u);
                row.d = next_four(&stack, row_opens, row_closes, ROW_START + 12u);
            }
            let gaps = (~(opens | closes)) >> start;
            if (gaps & ROW_BITS) != 0u {
                row = without_gaps(row, gaps);
            }
            store_row(tile, thread, lanes, word_index * PER_WORD + start, row);
        }
    }
}

// ---- Words of the stack.

// Some opens of the stack, as bits. Bit i is the open with code `code` + i. For a word of the tile other than `own`,
// `code` is PER_WORD times the word's place in below[..]. Only `own`, and the word of a thread that leaves no opens, may
// be empty.
struct Word {
    code: u32,
    bits: u32,
}

// Returns the word of the incoming open at a depth, with the bits from that open down. Positions are in blocks of PER_WORD,
// deepest open first (lib/match_incoming), so the highest bit is the topmost open. A depth is at most TILE. It is a result
// of lane operations (thread_tree), so it is bounded, and no code wraps into the codes of the tile.
fn incoming_word(any_depth: u32) -> Word {
    let depth = min(any_depth, TILE);
    let last = depth % PER_WORD;
    return Word(INCOMING + PER_WORD + depth - last, ALL_BITS >> last);
}

// Returns `word`, or `other` if `word` is empty.
@if(two_words)
fn word_or(word: Word, other: Word) -> Word {
    let has_bits = word.bits != 0u;
    return Word(select(other.code, word.code, has_bits), select(other.bits, word.bits, has_bits));
}

// Returns the opens that a thread leaves; thread < WORKGROUP_SIZE.
fn unmatched_by(thread: u32) -> vec2<u32> {
    let first = unmatched_of[WORDS * thread];
    @if(two_words)
    return vec2<u32>(first, unmatched_of[WORDS * thread + 1u]);
    @else
    return vec2<u32>(first, 0u);
}

// Returns the word of the open with `depth` others above it among the unmatched opens of a thread, with the bits from that
// open down. The thread must have such an open.
fn word_at_depth(thread: u32, unmatched: vec2<u32>, depth: u32) -> Word {
    let later = select(0u, countOneBits(unmatched.y), WORDS > 1u);
    let is_later = depth < later;
    let bits = select(unmatched.x, unmatched.y, is_later);
    let above = select(depth - later, depth, is_later);
    let code = thread * PER_THREAD + select(0u, PER_WORD, is_later);
    return Word(code, lowest_ones(bits, countOneBits(bits) - above));
}

// Returns the topmost word of a thread's unmatched opens; empty if the thread leaves no opens.
fn top_word(thread: u32, unmatched: vec2<u32>) -> Word {
    let is_later = WORDS > 1u && (unmatched.y != 0u || unmatched.x == 0u);
    let code = thread * PER_THREAD + select(0u, PER_WORD, is_later);
    return Word(code, select(unmatched.x, unmatched.y, is_later));
}

// Stores below[place], the word below one word of the tile's elements, in the memory of the tree. In bounds: the place is
// less than WORDS * WORKGROUP_SIZE, that memory has 2 * WORKGROUP_SIZE places, and WORDS is 1 or 2.
fn store_below(place: u32, below: Word) {
    thread_tree::nodes[place] = vec2<u32>(below.code, below.bits);
}

fn load_below(place: u32) -> Word {
    let below = thread_tree::nodes[place];
    return Word(below.x, below.y);
}

// Returns the word below the word with this code. The word below an incoming word is the next one. A code in the tile is
// less than TILE = WORDS * WORKGROUP_SIZE * PER_WORD, so the place is in bounds.
fn word_under(code: u32) -> Word {
    if code >= INCOMING {
        return Word(code + PER_WORD, ALL_BITS);
    }
    return load_below(code / PER_WORD);
}

// ---- The walk.

// The stack of a thread during the walk: its own opens, then the word below, which is never empty, then below[..] of that
// word.
struct Stack {
    own: Word,
    below: Word,
}

// Starts a row. `first` is the code of its first element. The window of the own stack slides by one row: the earlier bits
// move down, and the row's elements become the highest bits. The code may wrap below 0, because code + bit is correct
// modulo 2^32.
fn start_row(stack: ptr<function, Stack>, first: u32) {
    (*stack).own.code = first - ROW_START;
    (*stack).own.bits >>= ROW;
}

// QUADS times four codes, two per u32. Other fields are unused.
struct Row {
    a: vec2<u32>,
    b: vec2<u32>,
    c: vec2<u32>,
    d: vec2<u32>,
}

// Returns the codes of the four elements from bit `first_bit` of the own stack on.
fn next_four(stack: ptr<function, Stack>, opens: u32, closes: u32, first_bit: u32) -> vec2<u32> {
    let bit = 1u << first_bit;
    let first = next_code(stack, opens, closes, bit);
    let second = next_code(stack, opens, closes, bit << 1u);
    let third = next_code(stack, opens, closes, bit << 2u);
    let fourth = next_code(stack, opens, closes, bit << 3u);
    return vec2<u32>(insertBits(first, second, 16u, 16u), insertBits(third, fourth, 16u, 16u));
}

// Returns the code of the top of the stack before one element, then applies the element to the stack. `bit` is the
// element's bit of the own stack.
fn next_code(stack: ptr<function, Stack>, opens: u32, closes: u32, bit: u32) -> u32 {
    let is_own = (*stack).own.bits != 0u;
    let top = firstLeadingBit(select((*stack).below.bits, (*stack).own.bits, is_own));
    let code = select((*stack).below.code, (*stack).own.code, is_own) + top;
    let is_close = (closes & bit) != 0u;
    let opened = opens & bit;
    let taken = select(0u, 1u << top, is_close);
    (*stack).own.bits = ((*stack).own.bits & ~taken) | opened;
    if !is_own {
        (*stack).below.bits ^= taken;
    }
    if (*stack).below.bits == 0u {
        (*stack).below = word_under((*stack).below.code);
    }
    return code;
}

// Sets the links of elements that are neither open nor close to NONE. These elements are the lowest bits of `gaps`.
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

// ---- The store.

// Stores one row of every thread, starting at the thread's element `first_column`. QUADS neighbouring threads have QUADS
// rows of QUADS vectors. They transpose these and store each row together, so stores are coalesced in parts of 16 * QUADS
// bytes.
//
//     thread  at first       after 1 apart   after 2 apart
//     0       a0 b0 c0 d0    a0 a1 c0 c1     a0 a1 a2 a3
//     1       a1 b1 c1 d1    b0 b1 d0 d1     b0 b1 b2 b3
//     2       a2 b2 c2 d2    a2 a3 c2 c3     c0 c1 c2 c3
//     3       a3 b3 c3 d3    b2 b3 d2 d3     d0 d1 d2 d3
fn store_row(tile: u32, thread: u32, lanes: u32, first_column: u32, row: Row) {
    if QUADS == 1u || lanes::width(lanes) < QUADS {
        let element = tile * TILE + thread * PER_THREAD + first_column;
        store_four(tile, element, first_column, row.a);
        if QUADS > 1u {
            store_four(tile, element + 4u, first_column + 4u, row.b);
        }
        if QUADS > 2u {
            store_four(tile, element + 8u, first_column + 8u, row.c);
            store_four(tile, element + 12u, first_column + 12u, row.d);
        }
        return;
    }
    var rows = lanes::swap_quads(row.a, row.b, thread, 1u);
    let lane = thread % QUADS;
    let column = first_column + 4u * lane;
    let element = tile * TILE + (thread - lane) * PER_THREAD + column;
    if QUADS > 2u {
        let more = lanes::swap_quads(row.c, row.d, thread, 1u);
        let even_rows = lanes::swap_quads(rows.xy, more.xy, thread, 2u);
        let odd_rows = lanes::swap_quads(rows.zw, more.zw, thread, 2u);
        store_four(tile, element + 2u * PER_THREAD, column, even_rows.zw);
        store_four(tile, element + 3u * PER_THREAD, column, odd_rows.zw);
        rows = vec4<u32>(even_rows.xy, odd_rows.xy);
    }
    store_four(tile, element, column, rows.xy);
    store_four(tile, element + PER_THREAD, column, rows.zw);
}

// Stores the links of four codes, for the elements from `element` on, which is the thread's element `column`. In bounds: an
// element below the count is below the capacity, and the buffer is padded to whole vectors. If the last row of a
// word has fewer elements (ROW_NARROWS), the columns from PER_WORD on are skipped. With two words, every row is full.
fn store_four(tile: u32, element: u32, column: u32, four: vec2<u32>) {
    if (!ROW_NARROWS || column < PER_WORD) && element < match_tiles::element_count() {
        let codes = vec4<u32>(four.x & 0xffffu, four.x >> 16u, four.y & 0xffffu, four.y >> 16u);
        var links = elements_in_tile(tile, codes);
        if ((four.x | four.y) & (INCOMING * 0x10001u)) != 0u {
            links = vec4<u32>(
                element_of(tile, codes.x),
                element_of(tile, codes.y),
                element_of(tile, codes.z),
                element_of(tile, codes.w),
            );
        }
        links4[element / 4u] = links;
    }
}

// Returns the elements of codes in the tile. The caller replaces the results of other codes. If TILE is a power of two, an
// `or` replaces the addition, and compilers fuse it with the mask of the code.
fn elements_in_tile(tile: u32, codes: vec4<u32>) -> vec4<u32> {
    if (TILE & (TILE - 1u)) == 0u {
        return codes | vec4<u32>(tile * TILE);
    }
    return codes + vec4<u32>(tile * TILE);
}

fn element_of(tile: u32, code: u32) -> u32 {
    var element = tile * TILE + code;
    if code >= INCOMING {
        element = match_incoming::load(tile, code - INCOMING);
    }
    return element;
}
