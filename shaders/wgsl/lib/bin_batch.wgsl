// A batch: WORKGROUP_SIZE items, one a thread, go to the lists of the cells that they touch, in the order of the items.
//
// The cells are those of a window: a rectangle of at most 16 x 16, numbered row by row, whose sides are powers of two.
// It may reach past the last column and row: no item touches those cells.
//
//     hits[cell]  = the items that touch the cell, a bit each
//     place of an item in a cell's list = places[cell] + bits of hits[cell] below its own
//
// A kernel calls clear, mark, count for each cell (and stores places), and write, with a workgroupBarrier between one and
// the next, and another before the next clear.
//
// In bounds: cells_in_window keeps cells inside the window, which has at most BIN_WINDOW * BIN_WINDOW; items are below
// WORKGROUP_SIZE, and only their bits are set. The kernel answers for places and bin_entries.
//
// Paint order is the order of bits. Marks of many threads in one word are atomicOr: their order does not matter.

import package::kernel::{bin, bin_entries};
import package::constants::{BIN_WINDOW, WORKGROUP_SIZE};

const WORDS = (WORKGROUP_SIZE + 31u) / 32u;
const PAIRS = (WORDS + 1u) / 2u;
const CELLS = BIN_WINDOW * BIN_WINDOW;
const SIDES = BIN_WINDOW * WORDS;
const LANES = min(WORKGROUP_SIZE, 32u);
// An item that touches more cells is wide: one thread would write for long.
const NARROW = 16u;

// Word w of all cells, then word w + 1 of all cells: threads side by side have cells side by side.
var<workgroup> hits: array<atomic<u32>, CELLS * WORDS>;
// How many bits of a cell come before word w: of even w in the lower half, of odd w in the upper.
var<workgroup> earlier: array<u32, CELLS * PAIRS>;
// Where the batch's first item goes in a cell's list.
var<workgroup> places: array<atomic<u32>, CELLS>;
// The element that an item is.
var<workgroup> elements: array<u32, WORKGROUP_SIZE>;
// The wide items that touch each column, and from SIDES on each row. Boxes are upright: a wide item touches a cell
// where it touches its column and its row.
var<workgroup> sides: array<atomic<u32>, 2u * SIDES>;
var<workgroup> wide: array<atomic<u32>, WORDS>;
var<workgroup> wide_count: atomic<u32>;

fn window_cells() -> u32 {
    return bin.window_x * bin.window_y;
}

// Column and row of a cell in the window.
fn window_place(cell: u32) -> vec2<u32> {
    return vec2<u32>(cell & (bin.window_x - 1u), cell >> firstTrailingBit(bin.window_x));
}

// How many windows lie side by side, and below each other, to cover so many cells.
fn windows_over(cells: vec2<u32>) -> vec2<u32> {
    let window = vec2<u32>(bin.window_x, bin.window_y);
    return (cells + window - 1u) >> firstTrailingBit(window);
}

// The first cell of a window, column and row.
fn window_corner(window: u32, windows: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(window % windows.x, window / windows.x) * vec2<u32>(bin.window_x, bin.window_y);
}

// Which cells of the window at `corner` these are: half open; all 0 for none.
fn cells_in_window(cells: vec4<u32>, corner: vec2<u32>) -> vec4<u32> {
    let low = max(cells.xy, corner) - corner;
    let high = min(max(cells.zw, corner) - corner, vec2<u32>(bin.window_x, bin.window_y));
    return select(vec4<u32>(low, high), vec4<u32>(0u), any(low >= high));
}

// All sizes are powers of two, and WORDS at least a 32nd of the threads: whole numbers of words a thread.
fn clear(thread: u32) {
    for (var i = 0u; i < CELLS * WORDS / WORKGROUP_SIZE; i++) {
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

// Notes an item: its element, and the cells of the window that it touches.
fn mark(item: u32, element: u32, cells: vec4<u32>) {
    elements[item] = element;
    let word = item / 32u;
    let bit = 1u << (item % 32u);
    if !is_wide(cells) {
        for (var y = cells.y; y < cells.w; y++) {
            for (var x = cells.x; x < cells.z; x++) {
                atomicOr(&hits[word * CELLS + y * bin.window_x + x], bit);
            }
        }
        return;
    }
    atomicOr(&wide[word], bit);
    atomicAdd(&wide_count, 1u);
    for (var x = cells.x; x < cells.z; x++) {
        atomicOr(&sides[x * WORDS + word], bit);
    }
    for (var y = cells.y; y < cells.w; y++) {
        atomicOr(&sides[SIDES + y * WORDS + word], bit);
    }
}

// How many items touch a cell. One thread of the workgroup calls it for the cell: it adds the wide items to the bitmap, and
// sums the bits before each word.
fn count(cell: u32) -> u32 {
    if atomicLoad(&wide_count) > 0u {
        let at = window_place(cell);
        for (var word = 0u; word < WORDS; word++) {
            let column = atomicLoad(&sides[at.x * WORDS + word]);
            let row = atomicLoad(&sides[SIDES + at.y * WORDS + word]);
            atomicStore(&hits[word * CELLS + cell], touching(cell, word) | (column & row));
        }
    }
    var sum = 0u;
    for (var word = 0u; word < WORDS; word += 2u) {
        let before = sum;
        sum += countOneBits(touching(cell, word));
        earlier[word / 2u * CELLS + cell] = before | (sum << 16u);
        if word + 1u < WORDS {
            sum += countOneBits(touching(cell, word + 1u));
        }
    }
    return sum;
}

// 32 of the items that touch a cell.
fn touching(cell: u32, word: u32) -> u32 {
    return atomicLoad(&hits[word * CELLS + cell]);
}

// How many items touch a cell whose bits are in earlier words.
fn items_before(cell: u32, word: u32) -> u32 {
    return extractBits(earlier[word / 2u * CELLS + cell], word % 2u * 16u, 16u);
}

// What count has returned for the cell.
fn counted(cell: u32) -> u32 {
    return items_before(cell, WORDS - 1u) + countOneBits(touching(cell, WORDS - 1u));
}

fn is_wide(cells: vec4<u32>) -> bool {
    return (cells.z - cells.x) * (cells.w - cells.y) > NARROW;
}

// Writes all entries of the batch; places count from `base`. Narrow items: a thread each. A few wide ones: one after the
// other, a thread each cell. Many: a cell to 32 threads, each with one bit of every word.
fn write(thread: u32, cells: vec4<u32>, base: u32) {
    if !is_wide(cells) {
        for (var y = cells.y; y < cells.w; y++) {
            for (var x = cells.x; x < cells.z; x++) {
                write_one(base, y * bin.window_x + x, thread);
            }
        }
    }
    let wide_items = atomicLoad(&wide_count);
    // About where both cost the same.
    if wide_items * 4u > window_cells() {
        write_many_wide(base, thread);
    } else if wide_items > 0u {
        write_few_wide(base, wide_items, thread);
    }
}

// Writes an item to the list of a cell that it touches.
fn write_one(base: u32, cell: u32, item: u32) {
    let word = item / 32u;
    let below = extractBits(touching(cell, word), 0u, item % 32u);
    let rank = items_before(cell, word) + countOneBits(below);
    bin_entries[base + atomicLoad(&places[cell]) + rank] = elements[item];
}

// There are as many bits as items.
fn write_few_wide(base: u32, items: u32, thread: u32) {
    var left = items;
    for (var word = 0u; left > 0u; word++) {
        for (var rest = atomicLoad(&wide[word]); rest != 0u; rest &= rest - 1u) {
            let bit = firstTrailingBit(rest);
            for (var cell = thread; cell < window_cells(); cell += WORKGROUP_SIZE) {
                if extractBits(touching(cell, word), bit, 1u) != 0u {
                    write_one(base, cell, word * 32u + bit);
                }
            }
            left--;
        }
    }
}

fn write_many_wide(base: u32, thread: u32) {
    let lane = thread % LANES;
    for (var cell = thread / LANES; cell < window_cells(); cell += WORKGROUP_SIZE / LANES) {
        var place = base + atomicLoad(&places[cell]);
        for (var word = 0u; word < WORDS; word++) {
            let all = touching(cell, word);
            if extractBits(all & atomicLoad(&wide[word]), lane, 1u) != 0u {
                let rank = countOneBits(extractBits(all, 0u, lane));
                bin_entries[place + rank] = elements[word * 32u + lane];
            }
            place += countOneBits(all);
        }
    }
}
