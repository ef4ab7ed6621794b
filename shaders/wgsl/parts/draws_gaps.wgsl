// A gap is what lies between two nodes that follow each other, before the first or after the last; it has
// the number of nodes before it. What is painted there has two parts: what follows its first node in the
// same chunk, or the first element, is stored, and what later chunks paint before they have a node grows
// it, by atomic operations. So most gaps of a scene need none.
//
//     chunks     d d ( d d ) ( d | d d d ) d d | d d d d d d
//     stored     0 0   1 1     3           4 4
//     grown                        3 3 3         4 4 4 4 4 4

// The box of a node is its content, which is found later; what is written now fills whole lines of memory.
fn draws_node(item: u32, node: u32) {
    bounds[item] = packed(NOTHING);
}

// What each chunk of a workgroup without a node paints.
var<workgroup> painted: array<vec4<f32>, WORKGROUP_SIZE>;

// Whether no node is in the groups of these elements.
fn gap_is_one(first: u32, last: u32) -> bool {
    let end = group_at(last / 32u);
    return end.nodes_before + countOneBits(end.opens | end.closes) == group_at(first / 32u).nodes_before;
}

// All threads together. Where the workgroup has no node, its first thread does it for all: a scene of very
// few nodes would have all chunks at one gap.
fn draws_note(row: array<Element, 2>, is_one_gap: bool, thread: u32, lanes: u32) {
    let lane = thread % lanes;
    if !is_one_gap {
        var first = union_up_to_node(row[0], lane, lanes);
        let second = union_up_to_node(row[1], lane, lanes);
        // Of the first lane: whether the gap that it is in ends in the chunk.
        let is_end = first.end < lanes || row[1].is_node || second.end < lanes;
        // What the second row begins with follows what the first ends with.
        let head = lane_grow(select(second.box, NOTHING, row[1].is_node), 0u);
        if first.end == lanes {
            first.box = rect_union(first.box, head);
        }
        gap_after(row[0], first.box);
        gap_after(row[1], second.box);
        if lane == 0u {
            gap_begin(row[0], select(first.box, NOTHING, row[0].is_node), is_end);
        }
        return;
    }
    var box = union_up_to(rect_union(row[0].box, row[1].box), lane, lanes, lanes);
    if lane == 0u {
        painted[thread / lanes] = box;
    }
    workgroupBarrier();
    if thread == 0u {
        for (var chunk = 1u; chunk < WORKGROUP_SIZE / lanes; chunk++) {
            box = rect_union(box, painted[chunk]);
        }
        gap_begin(row[0], box, false);
    }
}

struct Painted {
    box: vec4<f32>,
    // The lane of the next node, or past all lanes.
    end: u32,
}

// What is painted from this lane up to the next node, or to the end of the chunk. A node paints nothing.
// All lanes together.
fn union_up_to_node(element: Element, lane: u32, lanes: u32) -> Painted {
    let later = (element.nodes >> (element.item % 32u)) & ~1u;
    let end = min(lane + countTrailingZeros(later), lanes);
    return Painted(union_up_to(element.box, lane, end, lanes), end);
}

// A node stores what follows it. Past the nodes that fit there is but one gap, which has another that stores.
fn gap_after(element: Element, box: vec4<f32>) {
    if !element.is_node {
        return;
    }
    if element.before < node_count() {
        products[plan.values + element.before + 1u] = box;
    } else {
        gap_grow(element.before, box, false);
    }
}

// What a chunk begins with, before it has a node: the scene's first element stores, others grow the gap.
fn gap_begin(element: Element, box: vec4<f32>, is_end: bool) {
    if element.item == 0u {
        products[plan.values] = box;
    } else {
        gap_grow(element.before, box, is_end);
    }
}

// All lanes together: the union of the lanes from this one up to another; each round unites with the one
// 1, 2, 4 ... after it, which has as many by then.
fn union_up_to(own: vec4<f32>, lane: u32, end: u32, lanes: u32) -> vec4<f32> {
    var box = own;
    for (var reach = 1u; reach < lanes; reach *= 2u) {
        let other = lane_grow(box, min(lane + reach, lanes - 1u));
        if lane + reach < end {
            box = rect_union(box, other);
        }
    }
    return box;
}

// Few of many boxes make it grow: who does not need not queue. At its end there are few others.
fn gap_grow(gap: u32, box: vec4<f32>, is_end: bool) {
    if box.x >= box.z {
        return;
    }
    let at = 4u * gap;
    let edges = gap_words(box);
    var grown = vec4<bool>(true);
    if !is_end {
        grown = edges > vec4<u32>(
            atomicLoad(&gaps[at]),
            atomicLoad(&gaps[at + 1u]),
            atomicLoad(&gaps[at + 2u]),
            atomicLoad(&gaps[at + 3u]),
        );
    }
    if grown.x {
        atomicMax(&gaps[at], edges.x);
    }
    if grown.y {
        atomicMax(&gaps[at + 1u], edges.y);
    }
    if grown.z {
        atomicMax(&gaps[at + 2u], edges.z);
    }
    if grown.w {
        atomicMax(&gaps[at + 3u], edges.w);
    }
}
