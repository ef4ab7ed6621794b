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

fn draws(tile: u32, mine: Mine, lanes: u32, flows: Flows) {
    gaps_begin(mine, flows);
    let first = tile * TILE;
    // The tile has an entry.
    let last = min(first + TILE, element_count()) - 1u;
    let begin = entry_load(first);
    let end = entry_load(last);
    // The gap before a mark lies in the group before; before the first there is none.
    var group = entry_element(begin) / 32u;
    if entry_is_mark(begin) {
        group = max(group, 1u) - 1u;
    }
    let groups_end = entry_element(end) / 32u + select(1u, 0u, entry_is_mark(end));
    // As many rounds for all.
    for (; group < groups_end; group += TILE / lanes) {
        draws_of(group + mine.at / lanes, groups_end, first, mine.lane, lanes);
    }
    gaps_end();
}

// All lanes of a chunk together; of a group past the last they do nothing.
fn draws_of(group: u32, groups_end: u32, first: u32, lane: u32, lanes: u32) {
    let exists = group < groups_end;
    // Of an element that exists, whichever it is.
    let loaded = min(group, groups_end - 1u);
    let known = group_at(loaded);
    let nodes = known.opens | known.closes;
    // The first gap of the group is that before the entry after its mark.
    let gap_first = known.nodes_before + group + 1u;
    var painted = paint_nothing();
    for (var row = 0u; row < 32u; row += lanes) {
        let place = row + lane;
        let element = 32u * group + place;
        let rect = rect_of(min(32u * loaded + place, counts.elements - 1u));
        let gap = gap_first + countOneBits(nodes & ((1u << place) - 1u));
        // Past all cells where the gap is not of this tile.
        let at = gap - first;
        let is_node = ((nodes >> place) & 1u) != 0u;
        let is_own = exists && at < TILE && element < counts.elements;
        var box = NOTHING;
        if is_own {
            nodes_before[element] = gap - group - 1u;
            if !is_node {
                box = draw_box(at, rect);
                bounds[element] = packed(box);
            }
        }
        painted = paint(painted, box, nodes >> row, lane, lanes, select(NONE, at, is_own && is_node));
    }
    // What follows its last node belongs to the mark of the next group.
    let at = gap_first + countOneBits(nodes) - first;
    if lane == 0u && exists && at < TILE {
        paint_store(at, painted);
    }
}
