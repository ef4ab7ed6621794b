// The marker indices of a scene: the number of markers before each element, and the element of each marker.

import package::kernel::{counts, frame_counts, marker_elements, markers_before, params, plan};
import package::lib::elements::element_count;
import package::lib::roles;
import package::layout::Counts;
import package::constants::{INDEX_ROWS, STATUS_ELEMENTS_CLAMPED, STATUS_FILTERS_TOO_DEEP, STATUS_MARKERS_CLAMPED};
import package::constants::WORKGROUP_SIZE;

// Stores the indices of one element, which has `markers` markers before it. The thread of the last element also stores the
// counts; without elements, the first thread does. With `filters`, the counts are stored later, when the status is known.
// Markers beyond the capacity are omitted, and `counts` reports this.
fn store(element: u32, markers: u32, is_marker: bool) {
    let count = element_count();
    if element < count {
        markers_before[element] = min(markers, plan.marker_capacity);
        if is_marker && markers < plan.marker_capacity {
            marker_elements[markers] = element;
        }
    }
    @if(!filters) {
        if element + 1u == count {
            store_counts(markers + u32(is_marker), false);
        } else if element == 0u && count == 0u {
            store_counts(0u, false);
        }
    }
}

// Stores the counts, and also returns them.
fn store_counts(markers: u32, is_too_deep: bool) -> Counts {
    let status = select(0u, STATUS_ELEMENTS_CLAMPED, params.elements > plan.element_capacity)
        | select(0u, STATUS_MARKERS_CLAMPED, markers > plan.marker_capacity)
        | select(0u, STATUS_FILTERS_TOO_DEEP, is_too_deep);
    let all = Counts(element_count(), min(markers, plan.marker_capacity), status, markers);
    counts = all;
    return all;
}

// With few markers, stores markers_before for INDEX_ROWS rows of elements. Called by the additional workgroups of the kernel
// that follows compact_markers; `number` is the index of such a workgroup. Eight loads at a time hide the memory latency.
fn store_of_few(number: u32, thread: u32) {
    let first = number * INDEX_ROWS * WORKGROUP_SIZE + thread;
    let last = max(frame_counts.elements, 1u) - 1u;
    for (var row = 0u; row < INDEX_ROWS; row += 8u) {
        var markers: array<u32, 8>;
        for (var i = 0u; i < 8u; i++) {
            let element = min(first + (row + i) * WORKGROUP_SIZE, last);
            markers[i] = roles::rank_in(roles::load(element / 32u), element);
        }
        for (var i = 0u; i < 8u; i++) {
            let element = first + (row + i) * WORKGROUP_SIZE;
            if element < frame_counts.elements {
                markers_before[element] = markers[i];
            }
        }
    }
}
