// The draws in the gaps of a tile of entries: their boxes, and what they paint.
//
// The cell of each entry has what flows to the draws of its gap, and then what they paint (draws_flow.wgsl,
// draws_paint.wgsl). The blocks of SPACING elements in which gaps of the tile lie follow each other; each chunk takes
// one at a time, in rows of as many elements as it has lanes:
//
//     before = nodes before the element, of all
//     the gap that it is in, or ends: that of the entry with so many nodes before it, and as many marks as
//         blocks up to its own
//     box = its rect, cut by what flows to its gap
//
// Two tiles may share a block, of which each takes the gaps that are its own.
//
// A gap is of one chunk. Its lanes have read the cell before what they have read goes from lane to lane, and
// so before one of them stores there.

// The blocks of a tile, and those of a chunk: every so many.
struct Blocks {
    first: u32,
    end: u32,
    chunk: u32,
    chunks: u32,
}

// A row of elements of a block.
struct Row {
    block: u32,
    // Its first element's place in the block.
    begin: u32,
    // The nodes of its group of 32 as bits, and how many come before it.
    nodes: u32,
    nodes_before: u32,
    // Of the lane's element.
    rect: vec4<f32>,
}

fn draws(tile: u32, mine: Mine, lanes: u32, flows: Flows) {
    gaps_begin(mine, flows);
    let first = tile * TILE;
    let blocks = blocks_of(first, mine, lanes);
    var painted = paint_nothing();
    // As many rounds for all; of a block past the last a chunk does nothing. What is loaded is long on its way, so
    // that two rows are asked for at once.
    let rows = (blocks.end - blocks.first + blocks.chunks - 1u) / blocks.chunks * (SPACING / lanes);
    for (var at = 0u; at < rows; at += 2u) {
        let one = row_load(blocks, at, mine.lane, lanes);
        let two = row_load(blocks, at + 1u, mine.lane, lanes);
        painted = draws_of(one, blocks, first, mine.lane, lanes, painted);
        painted = draws_of(two, blocks, first, mine.lane, lanes, painted);
    }
    gaps_end();
}

fn blocks_of(first: u32, mine: Mine, lanes: u32) -> Blocks {
    // The tile has an entry.
    let last = min(first + TILE, element_count()) - 1u;
    let begin = entry_load(first);
    let end = entry_load(last);
    // The gap before a mark lies in the block before; before the first there is none.
    var block = entry_element(begin) / SPACING;
    if entry_is_mark(begin) {
        block = max(block, 1u) - 1u;
    }
    let blocks_end = entry_element(end) / SPACING + select(1u, 0u, entry_is_mark(end));
    return Blocks(block, blocks_end, mine.at / lanes, TILE / lanes);
}

// A row of the chunk, by its number. Past the last element, or the last block of the tile, it has no nodes.
fn row_load(blocks: Blocks, number: u32, lane: u32, lanes: u32) -> Row {
    let block = blocks.first + blocks.chunk + number * lanes / SPACING * blocks.chunks;
    let begin = number * lanes % SPACING;
    let element = block * SPACING + begin + lane;
    // One that exists.
    let near = min(element, min(blocks.end * SPACING, counts.elements) - 1u);
    let group = group_at(near / 32u);
    var row = Row(block, begin, group.opens | group.closes, group.nodes_before, rect_of(near));
    if element / 32u > near / 32u {
        row.nodes_before += countOneBits(row.nodes);
        row.nodes = 0u;
    }
    return row;
}

// All lanes of a chunk together. Gives what is painted since the last node of the block, by then.
fn draws_of(row: Row, blocks: Blocks, first: u32, lane: u32, lanes: u32, so_far: Painted) -> Painted {
    let exists = row.block < blocks.end;
    let element = row.block * SPACING + row.begin + lane;
    let place = element % 32u;
    let before = row.nodes_before + countOneBits(row.nodes & ((1u << place) - 1u));
    // Past all cells where the gap is not of this tile.
    let at = before + row.block + 1u - first;
    let is_node = ((row.nodes >> place) & 1u) != 0u;
    let is_own = exists && at < TILE && element < counts.elements;
    var box = NOTHING;
    if is_own {
        nodes_before[element] = before;
        if !is_node {
            box = draw_box(at, row.rect);
            bounds[element] = packed(box);
        }
    }
    let earlier = select(so_far, paint_nothing(), row.begin == 0u);
    let painted = paint(earlier, box, row.nodes >> (place - lane), lane, lanes, select(NONE, at, is_own && is_node));
    // What follows its last node belongs to the mark of the next block.
    let mark = row.nodes_before + countOneBits(row.nodes) + row.block + 1u - first;
    if lane == 0u && row.begin + lanes == SPACING && exists && mark < TILE {
        paint_store(mark, painted);
    }
    return painted;
}
