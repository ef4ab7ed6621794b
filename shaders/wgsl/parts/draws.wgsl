// The draws in the gaps of a tile of entries: their boxes, and what they paint.
//
// The cell of each entry has what flows to the draws of its gap, and then what they paint (draws_flow.wgsl,
// draws_paint.wgsl). The groups of 32 elements in which gaps of the tile lie follow each other; each chunk takes
// one at a time, as many elements in a row as it has lanes:
//
//     before = nodes before the element, of all
//     the gap that it is in, or ends: that of the entry with so many nodes before it, and as many marks as
//         groups up to its own
//     box = its rect, cut by what flows to its gap
//
// Two tiles may share a group, of which each takes the gaps that are its own.
//
// A gap is of one chunk. Its lanes have read the cell before what they have read goes from lane to lane, and
// so before one of them stores there.

// The groups of a tile, and those of a chunk: every so many.
struct Groups {
    first: u32,
    end: u32,
    chunk: u32,
    chunks: u32,
}

// A row of elements of a group.
struct Row {
    group: u32,
    // Its first element's place in the group.
    begin: u32,
    // The nodes of the group as bits, and how many come before it.
    nodes: u32,
    nodes_before: u32,
    // Of the lane's element.
    rect: vec4<f32>,
}

fn draws(tile: u32, mine: Mine, lanes: u32, flows: Flows) {
    gaps_begin(mine, flows);
    let groups = groups_of(tile * TILE, mine, lanes);
    // As many for all; of a group past the last a chunk does nothing.
    let rounds = (groups.end - groups.first + groups.chunks - 1u) / groups.chunks;
    draw_rows(groups, rounds * (32u / lanes), tile * TILE, mine.lane, lanes);
    gaps_end();
}

// Of the tile that begins with this entry; it has one.
fn groups_of(first: u32, mine: Mine, lanes: u32) -> Groups {
    let last = min(first + TILE, element_count()) - 1u;
    let begin = entry_load(first);
    let end = entry_load(last);
    // The gap before a mark lies in the group before; before the first there is none.
    var group = entry_element(begin) / 32u;
    if entry_is_mark(begin) {
        group = max(group, 1u) - 1u;
    }
    let groups_end = entry_element(end) / 32u + select(1u, 0u, entry_is_mark(end));
    return Groups(group, groups_end, mine.at / lanes, TILE / lanes);
}

// A row of the chunk, by its number. What it loads is of an element that exists, whichever it is; of none where the
// scene has none.
fn row_load(groups: Groups, number: u32, lane: u32, lanes: u32) -> Row {
    let group = groups.first + groups.chunk + number * lanes / 32u * groups.chunks;
    let begin = number * lanes % 32u;
    let loaded = min(group, max(groups.end, 1u) - 1u);
    let known = group_at(loaded);
    let rect = rect_of(min(32u * loaded + begin + lane, max(counts.elements, 1u) - 1u));
    return Row(group, begin, known.opens | known.closes, known.nodes_before, rect);
}

// The entry after the mark of the row's group.
fn row_entry(row: Row) -> u32 {
    return row.nodes_before + row.group + 1u;
}

// What a lane has of a row.
struct Drawn {
    // The cell of the gap that its element is in, or ends; past all cells where another tile has it.
    at: u32,
    is_node: bool,
    // The box of a draw of the tile, else NOTHING.
    box: vec4<f32>,
}

// Writes the box of the lane's element, if it is a draw of the tile that begins with this entry.
fn draw(row: Row, groups: Groups, first: u32, lane: u32) -> Drawn {
    let place = row.begin + lane;
    let element = 32u * row.group + place;
    let before = row.nodes_before + countOneBits(row.nodes & ((1u << place) - 1u));
    var drawn = Drawn(before + row.group + 1u - first, ((row.nodes >> place) & 1u) != 0u, NOTHING);
    if row.group >= groups.end || element >= counts.elements {
        drawn.at = NONE;
    }
    if drawn.at < TILE {
        nodes_before[element] = before;
        if !drawn.is_node {
            drawn.box = draw_box(drawn.at, row.rect);
            bounds[element] = packed(drawn.box);
        }
    }
    return drawn;
}
