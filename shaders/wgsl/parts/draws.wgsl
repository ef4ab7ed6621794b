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
// A gap is of one chunk. Each lane has read the cell before what it has read goes from lane to lane, and what one of
// them then stores there depends on what came. No barrier parts the two: this rests on that value, not on memory being
// in order among lanes.

// The groups of a tile; a chunk has every so many.
struct Groups {
    first: u32,
    end: u32,
    chunks: u32,
}

// The groups of the tile, which are asked for while values flow.
var<private> asked_groups: Groups;

fn draws_ask(tile: u32, mine: Mine, lanes: u32) {
    asked_groups = groups_of(tile * TILE, lanes);
    rows_ask(asked_groups, mine, lanes);
}

fn draws(tile: u32, mine: Mine, lanes: u32, flows: Flows) {
    gaps_begin(mine, flows);
    draw_rows(asked_groups, tile * TILE, mine, lanes);
    gaps_end(mine);
    // What is written of nodes comes after what their lanes have.
    storageBarrier();
}

// Of the tile that begins with this entry; it has one.
fn groups_of(first: u32, lanes: u32) -> Groups {
    let last = min(first + TILE, element_count()) - 1u;
    let begin = entry_load(first);
    let end = entry_load(last);
    // The gap before a mark lies in the group before; before the first there is none.
    var group = entry_element(begin) / 32u;
    if entry_is_mark(begin) {
        group = max(group, 1u) - 1u;
    }
    let groups_end = entry_element(end) / 32u + select(1u, 0u, entry_is_mark(end));
    return Groups(group, groups_end, TILE / lanes);
}

// What a lane loads of an element: the nodes of its group as bits, and how many come before it; and its rect.
struct Loaded {
    nodes: u32,
    nodes_before: u32,
    rect: vec4<f32>,
}

// By the group, and the place in it. Past the last it is of one that exists, whichever it is; of none where the
// scene has none.
fn draw_load(group: u32, place: u32, groups: Groups) -> Loaded {
    let near = min(group, max(groups.end, 1u) - 1u);
    let known = group_nodes_at(near);
    let rect = rect_of(min(32u * near + place, max(counts.elements, 1u) - 1u));
    return Loaded(known.nodes, known.before, rect);
}

// What becomes of it.
struct Drawn {
    // The cell of the gap that it is in, or ends, if the tile has that gap; else past all cells, or before the first
    // (and wrapped).
    at: u32,
    // Whether it exists, and the tile has its gap.
    is_own: bool,
    is_node: bool,
    // Of a draw of the tile its box, else NOTHING.
    box: vec4<f32>,
}

// Writes its box, if it is a draw of the tile that begins with the entry `first`. Of a group past the last nothing.
//
// A node writes there too: rows are stored whole, for memory reads a sector again of which it gets a part. What a node's
// bounds are is written afterwards.
fn draw(loaded: Loaded, group: u32, place: u32, groups: Groups, first: u32) -> Drawn {
    let element = 32u * group + place;
    let before = loaded.nodes_before + countOneBits(loaded.nodes & ((1u << place) - 1u));
    let is_node = ((loaded.nodes >> place) & 1u) != 0u;
    // The first gap of a group is that before the entry after its mark.
    let at = before + group + 1u - first;
    let is_own = at < TILE && group < groups.end && element < counts.elements;
    // All lanes go one way: one that has no gap of the tile reads the last cell, which nobody writes meanwhile.
    let box = select(NOTHING, draw_box(select(CELLS - 1u, at, is_own), loaded.rect), is_own && !is_node);
    if is_own {
        bounds[element] = packed(box);
    }
    return Drawn(at, is_own, is_node, box);
}
