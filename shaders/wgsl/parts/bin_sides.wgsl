// Which items of a batch touch each column and each row of children, as bitmaps. Since all boxes are
// upright, a child's bitmap is that of its column AND that of its row.

const ROWS = BATCH_FAN * BATCH_WORDS;

// Of the columns, BATCH_WORDS each, and from ROWS on of the rows: a whole number of words a thread,
// since all of these are powers of two and BATCH_WORDS at least a 32nd of the threads.
var<workgroup> sides: array<atomic<u32>, 2u * ROWS>;

fn sides_clear(thread: u32) {
    for (var i = 0u; i < 2u * ROWS / WORKGROUP_SIZE; i++) {
        atomicStore(&sides[i * WORKGROUP_SIZE + thread], 0u);
    }
}

// Notes an item. A barrier must part it from sides_clear.
fn sides_mark(item: u32, cells: vec4<u32>) {
    let word = item / 32u;
    let bit = 1u << (item % 32u);
    for (var x = cells.x; x < cells.z; x++) {
        atomicOr(&sides[x * BATCH_WORDS + word], bit);
    }
    for (var y = cells.y; y < cells.w; y++) {
        atomicOr(&sides[ROWS + y * BATCH_WORDS + word], bit);
    }
}

// 32 of the items that touch a child.
fn sides_touching(at: vec2<u32>, word: u32) -> u32 {
    let column = atomicLoad(&sides[at.x * BATCH_WORDS + word]);
    return column & atomicLoad(&sides[ROWS + at.y * BATCH_WORDS + word]);
}
