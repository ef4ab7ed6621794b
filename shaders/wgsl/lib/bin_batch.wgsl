// A batch: WORKGROUP_SIZE items, one per thread, are written to the lists of the children that they touch (with pieces, of
// the bins), in the order of the items. Items are numbered inside the batch.
//
// The children belong to a window: a rectangle of at most 16 x 16, numbered row by row, whose sides are powers of
// two. It may extend past the last column and row; no item touches children beyond them.
//
//     hits[child] = the items that touch the child, one bit per item
//     index in bin_entries of an item = base + places[child] + bits of hits[child] below the item's own
//
// A kernel calls clear, mark, count for each child (and stores places), and write, with a workgroupBarrier between
// consecutive calls, and another before the next clear. A kernel that changes places after write needs a barrier before
// and after the change.
//
// In bounds: children_in_window stays inside the window, which has at most BIN_WINDOW * BIN_WINDOW children; items are
// below WORKGROUP_SIZE, and only their bits are set. The kernel is responsible for places and bin_entries.
//
// Paint order is the order of bits. Threads set bits by atomicOr, so the order of marking does not matter.

import package::kernel::{bin, bin_entries};
import package::constants::{BIN_WINDOW, WORKGROUP_SIZE};

const WORDS = (WORKGROUP_SIZE + 31u) / 32u;
const PAIRS = (WORDS + 1u) / 2u;
const CHILDREN = BIN_WINDOW * BIN_WINDOW;
const SIDES = BIN_WINDOW * WORDS;
// The number of threads that share a child, one per bit of a word. They need not form a subgroup.
const LANES = min(WORKGROUP_SIZE, 32u);
// An item that touches more children of the window is *wide*, and would take a single thread too long to write.
const NARROW = 16u;

// Word w of all children is followed by word w + 1 of all children, so neighbouring threads access neighbouring words.
var<workgroup> hits: array<atomic<u32>, CHILDREN * WORDS>;
// The number of bits of a child before word w: in the lower half for even w, in the upper half for odd w.
var<workgroup> earlier: array<u32, CHILDREN * PAIRS>;
// The index in bin_entries (minus `base`) of the batch's first item in each child's list.
var<workgroup> places: array<atomic<u32>, CHILDREN>;
// The element of each item.
var<workgroup> elements: array<u32, WORKGROUP_SIZE>;
// The wide items that touch each column and, from SIDES on, each row. Boxes are upright rectangles, so a wide item touches a
// child if and only if it touches the child's column and row.
var<workgroup> sides: array<atomic<u32>, 2u * SIDES>;
var<workgroup> wide: array<atomic<u32>, WORDS>;
var<workgroup> wide_count: atomic<u32>;

fn window_children() -> u32 {
    return bin.window_x * bin.window_y;
}

// Returns the column and row of a child in the window.
fn window_coords(child: u32) -> vec2<u32> {
    return vec2<u32>(child & (bin.window_x - 1u), child >> firstTrailingBit(bin.window_x));
}

// Returns the number of windows, in each direction, that cover `children` columns and rows.
fn windows_over(children: vec2<u32>) -> vec2<u32> {
    let window = vec2<u32>(bin.window_x, bin.window_y);
    return (children + window - 1u) >> firstTrailingBit(window);
}

// Returns the column and row of the first child of a window.
fn window_corner(window: u32, windows: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(window % windows.x, window / windows.x) * vec2<u32>(bin.window_x, bin.window_y);
}

// Returns the children that are in the window at `corner`, half open; all 0 if there are none.
fn children_in_window(children: vec4<u32>, corner: vec2<u32>) -> vec4<u32> {
    let low = max(children.xy, corner) - corner;
    let high = min(max(children.zw, corner) - corner, vec2<u32>(bin.window_x, bin.window_y));
    return select(vec4<u32>(low, high), vec4<u32>(0u), any(low >= high));
}

// All sizes are powers of two, and WORDS is at least a 32nd of the threads, so each thread has a whole number of words.
fn clear(thread: u32) {
    for (var i = 0u; i < CHILDREN * WORDS / WORKGROUP_SIZE; i++) {
        atomicStore(&hits[i * WORKGROUP_SIZE + thread], 0u);
    }
    for (var i = 0u; i < 2u * SIDES / WORKGROUP_SIZE; i++) {
        atomicStore(&sides[i * WORKGROUP_SIZE + thread], 0u);
    }
    if thread < WORDS {
        atomicStore(&wide[thread], 0u);
    }
    if thread == 0u {
        atomicStore(&wide_count, 0u);
    }
}

// Stores the element of an item, and sets its bit for the children of the window that it touches.
fn mark(item: u32, element: u32, touched: vec4<u32>) {
    elements[item] = element;
    let word = item / 32u;
    let bit = 1u << (item % 32u);
    if !is_wide(touched) {
        for (var y = touched.y; y < touched.w; y++) {
            for (var x = touched.x; x < touched.z; x++) {
                atomicOr(&hits[word * CHILDREN + y * bin.window_x + x], bit);
            }
        }
        return;
    }
    atomicOr(&wide[word], bit);
    atomicAdd(&wide_count, 1u);
    for (var x = touched.x; x < touched.z; x++) {
        atomicOr(&sides[x * WORDS + word], bit);
    }
    for (var y = touched.y; y < touched.w; y++) {
        atomicOr(&sides[SIDES + y * WORDS + word], bit);
    }
}

// Returns the number of items that touch a child. Also adds the wide items to the bitmap, and sums the bits before each
// word. Called once per child.
fn count(child: u32) -> u32 {
    if atomicLoad(&wide_count) > 0u {
        let at = window_coords(child);
        for (var word = 0u; word < WORDS; word++) {
            let column = atomicLoad(&sides[at.x * WORDS + word]);
            let row = atomicLoad(&sides[SIDES + at.y * WORDS + word]);
            atomicStore(&hits[word * CHILDREN + child], touching(child, word) | (column & row));
        }
    }
    var sum = 0u;
    for (var word = 0u; word < WORDS; word += 2u) {
        let before = sum;
        sum += countOneBits(touching(child, word));
        earlier[word / 2u * CHILDREN + child] = before | (sum << 16u);
        if word + 1u < WORDS {
            sum += countOneBits(touching(child, word + 1u));
        }
    }
    return sum;
}

// Returns one word of the bitmap of a child.
fn touching(child: u32, word: u32) -> u32 {
    return atomicLoad(&hits[word * CHILDREN + child]);
}

// Returns the number of items that touch a child and have their bits in earlier words.
fn items_before(child: u32, word: u32) -> u32 {
    return extractBits(earlier[word / 2u * CHILDREN + child], word % 2u * 16u, 16u);
}

// Returns the result of count() for a child.
fn counted(child: u32) -> u32 {
    return items_before(child, WORDS - 1u) + countOneBits(touching(child, WORDS - 1u));
}

fn is_wide(touched: vec4<u32>) -> bool {
    return (touched.z - touched.x) * (touched.w - touched.y) > NARROW;
}

// Writes all entries of the batch; places are relative to `base`. Each narrow item is written by its own thread. If there
// are few wide items, they are written one after the other, with one thread per child. If there are many, they are written
// by LANES threads per child, one per bit of a word.
fn write(thread: u32, touched: vec4<u32>, base: u32) {
    if !is_wide(touched) {
        for (var y = touched.y; y < touched.w; y++) {
            for (var x = touched.x; x < touched.z; x++) {
                write_one(base, y * bin.window_x + x, thread);
            }
        }
    }
    let wide_items = atomicLoad(&wide_count);
    // At about this number, both ways cost the same.
    if wide_items * 4u > window_children() {
        write_many_wide(base, thread);
    } else if wide_items > 0u {
        write_few_wide(base, wide_items, thread);
    }
}

// Writes an item to the list of a child that it touches.
fn write_one(base: u32, child: u32, item: u32) {
    let word = item / 32u;
    let below = extractBits(touching(child, word), 0u, item % 32u);
    let rank = items_before(child, word) + countOneBits(below);
    bin_entries[base + atomicLoad(&places[child]) + rank] = elements[item];
}

// `wide` has exactly `items` bits, so the loop ends before word WORDS.
fn write_few_wide(base: u32, items: u32, thread: u32) {
    var left = items;
    for (var word = 0u; left > 0u; word++) {
        for (var rest = atomicLoad(&wide[word]); rest != 0u; rest &= rest - 1u) {
            let bit = firstTrailingBit(rest);
            for (var child = thread; child < window_children(); child += WORKGROUP_SIZE) {
                if extractBits(touching(child, word), bit, 1u) != 0u {
                    write_one(base, child, word * 32u + bit);
                }
            }
            left--;
        }
    }
}

fn write_many_wide(base: u32, thread: u32) {
    let lane = thread % LANES;
    for (var child = thread / LANES; child < window_children(); child += WORKGROUP_SIZE / LANES) {
        var place = base + atomicLoad(&places[child]);
        for (var word = 0u; word < WORDS; word++) {
            let all = touching(child, word);
            if extractBits(all & atomicLoad(&wide[word]), lane, 1u) != 0u {
                let rank = countOneBits(extractBits(all, 0u, lane));
                bin_entries[place + rank] = elements[word * 32u + lane];
            }
            place += countOneBits(all);
        }
    }
}
