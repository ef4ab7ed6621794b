// Node indices of a scene: how many nodes come before each element, and which element each node is.

import package::kernel::{counts, node_elements, nodes_before, params, plan};
import package::lib::elements::element_count;
@if(entries) import package::lib::roles;
import package::constants::{INDEX_ROWS, STATUS_ELEMENTS_CLAMPED, STATUS_NODES_CLAMPED, WORKGROUP_SIZE};

// Of one element, with the number of nodes before it. The last element's thread stores the counts; where there is no
// element, the first thread. Nodes past the capacity are left out, and `counts` says so.
fn store(element: u32, nodes: u32, is_node: bool) {
    let count = element_count();
    if element < count {
        nodes_before[element] = min(nodes, plan.node_capacity);
        if is_node && nodes < plan.node_capacity {
            node_elements[nodes] = element;
        }
    }
    if element + 1u == count {
        store_counts(nodes + u32(is_node));
    } else if count == 0u && element == 0u {
        store_counts(0u);
    }
}

fn store_counts(nodes: u32) {
    counts.elements = element_count();
    counts.markers = min(nodes, plan.node_capacity);
    counts.status = select(0u, STATUS_ELEMENTS_CLAMPED, params.elements > plan.element_capacity)
        | select(0u, STATUS_NODES_CLAMPED, nodes > plan.node_capacity);
    counts.markers_needed = nodes;
}

// Of a scene of few nodes: count_nodes and compact_nodes have found how many nodes come before each 32 elements. The
// `number`-th workgroup that is left for these stores INDEX_ROWS rows of elements, eight loads at a time: memory answers
// late.
@if(entries)
fn store_of_entries(number: u32, thread: u32) {
    let first = number * INDEX_ROWS * WORKGROUP_SIZE + thread;
    let last = max(counts.elements, 1u) - 1u;
    for (var row = 0u; row < INDEX_ROWS; row += 8u) {
        var nodes: array<u32, 8>;
        for (var i = 0u; i < 8u; i++) {
            let element = min(first + (row + i) * WORKGROUP_SIZE, last);
            nodes[i] = roles::rank_in(roles::load(element / 32u), element);
        }
        for (var i = 0u; i < 8u; i++) {
            let element = first + (row + i) * WORKGROUP_SIZE;
            if element < counts.elements {
                nodes_before[element] = nodes[i];
            }
        }
    }
}
