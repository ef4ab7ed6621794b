// A level of binning. Cells are rectangles of bins. The root is the cell of all bins. A level divides each of its cells
// into fan_x * fan_y children of cell_x * cell_y bins each; the children of the last level are the bins. Each cell has
// a list of items, which are the elements that touch it. A workgroup processes one segment: at most `bin.segment`
// consecutive items of one cell.
//
// The items of the root are all elements. The lists of deeper levels come from bin_scan and bin_emit of the level above.

import package::kernel::bin;
import package::lib::bin_grid::element_count;
import package::layout::BinSegment;

// The segments of a level, and their total number of items.
struct BinSegments {
    items: u32,
    count: u32,
    list: array<BinSegment>,
}

// The segments of a level while bin_scan of the level above allocates them. After the last level, `items` counts entries,
// and `count` is unused.
struct BinNext {
    items: atomic<u32>,
    count: atomic<u32>,
    list: array<BinSegment>,
}

// Returns the number of segments of the root. Without elements, there is one empty segment, whose workgroup writes empty
// results.
fn root_segments() -> u32 {
    return max((element_count() + bin.segment - 1u) / bin.segment, 1u);
}

fn children_per_cell() -> u32 {
    return bin.fan_x * bin.fan_y;
}

// Returns the column and row of a child in its cell.
fn child_coords(child: u32) -> vec2<u32> {
    return vec2<u32>(child % bin.fan_x, child / bin.fan_x);
}

// Packs a bin's column and row into one word, 16 bits each. A grid has at most 65,535 of each. Cells may extend past the
// grid, but not past 65,536 (BinLayout), so the columns and rows of their corners fit in 16 bits.
fn pack_coords(coords: vec2<u32>) -> u32 {
    return coords.x | (coords.y << 16u);
}

fn unpack_coords(packed: u32) -> vec2<u32> {
    return vec2<u32>(packed & 0xffffu, packed >> 16u);
}
