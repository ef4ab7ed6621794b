// draws: the box of each draw, and what is painted between nodes, where nodes are few.
//
// One thread two elements, a chunk two rows of as many as it has lanes, one after the other. What is
// around a draw depends on the nodes before it alone, and is known.
//
//     before = how many nodes come before the element
//     box = what flows to elements after so many nodes, cut by its rect
//     what is painted after so many nodes, before the next, has the box (draws_gaps.wgsl)
//
// Reads a rect an element, and 16 bytes for 32 elements; writes a box and 4 bytes, and 16 a node. All of
// both rows is asked for before anything is written.

struct Element {
    item: u32,
    exists: bool,
    is_node: bool,
    // The nodes of its group of 32, a bit each.
    nodes: u32,
    // Nodes before it, of those that fit: past the last there is but one gap.
    before: u32,
    // Of a draw its rect, then its box; else NOTHING.
    box: vec4<f32>,
}

fn kernel(tile: u32, thread: u32, subgroup: u32) {
    let first = 2u * tile * TILE;
    if first >= element_count() {
        return;
    }
    let lanes = lanes_begin(thread, subgroup);
    let item = first + 2u * thread - thread % lanes;
    var row = array<Element, 2>(element_load(item), element_load(item + lanes));
    let is_one_gap = gap_is_one(first, min(first + 2u * TILE, element_count()) - 1u);
    row[0].box = draw_box(row[0].before, row[0].box);
    row[1].box = draw_box(row[1].before, row[1].box);
    element_store(row[0]);
    element_store(row[1]);
    draws_note(row, is_one_gap, thread, lanes);
}

fn element_load(item: u32) -> Element {
    var element = Element(item, item < element_count(), false, 0u, 0u, NOTHING);
    if element.exists {
        let group = group_at(item / 32u);
        element.is_node = role_in(group, item) != 0u;
        element.nodes = group.opens | group.closes;
        element.before = min(rank_in(group, item), node_count());
        if !element.is_node {
            element.box = rect_of(item);
        }
    }
    return element;
}

fn element_store(element: Element) {
    if element.exists {
        nodes_before[element.item] = element.before;
        if !element.is_node {
            bounds[element.item] = packed(element.box);
        } else if element.before < node_count() {
            draws_node(element.item, element.before);
        }
    }
}
