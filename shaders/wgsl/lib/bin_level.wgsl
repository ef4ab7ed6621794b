// A level of binning. Cells are rectangles of bins. The root holds all bins; a level cuts each of its cells into
// fan_x * fan_y children of cell_x * cell_y bins each; the children of the last level are the bins. Each cell has a list of
// items, the elements that touch it. A workgroup takes a chunk: at most `bin.chunk` consecutive items of one cell.
//
// The root's items are all elements. What deeper levels have is made by bin_scan and bin_emit of the level above.

import package::kernel::bin;
import package::lib::bin_grid::element_count;
import package::layout::BinChunk;

// The chunks of a level, and how many items they have together.
struct BinChunks {
    items: u32,
    count: u32,
    list: array<BinChunk>,
}

// The same while bin_scan of the level above hands them out. Below the last level `items` counts entries, and nothing
// reads `count`.
struct BinNext {
    items: atomic<u32>,
    count: atomic<u32>,
    list: array<BinChunk>,
}

// Chunks of the root: one without items where there is no element, so that somebody writes that there is nothing.
fn root_chunks() -> u32 {
    return max((element_count() + bin.chunk - 1u) / bin.chunk, 1u);
}

fn children_per_cell() -> u32 {
    return bin.fan_x * bin.fan_y;
}

// Column and row of a child in its cell.
fn child_coords(child: u32) -> vec2<u32> {
    return vec2<u32>(child % bin.fan_x, child / bin.fan_x);
}

// Two numbers of 16 bits in a word: a bin's column and row. A grid has at most 65,535 of each, and
// cells that reach past it end by 65,536 (BinLayout), so a corner is below that.
fn pack_coords(coords: vec2<u32>) -> u32 {
    return coords.x | (coords.y << 16u);
}

fn unpack_coords(packed: u32) -> vec2<u32> {
    return vec2<u32>(packed & 0xffffu, packed >> 16u);
}
