// bin_scan: finds the start of each child's list, and the place of each segment's items in it. This is the spine of a
// level.
//
//     workgroup  SCAN_CHILDREN neighbouring children of one cell, with SCAN_THREADS threads each
//     thread     consecutive segments of the cell
//
//     first level: needed = sum of needs; write the status; if the entries do not fit, every list is empty
//     own = sum of matrix[segment][child] over the thread's segments
//     before = exclusive scan of own over the threads of the child; total = its sum
//     start of the child's list = atomicAdd(items, total)
//     matrix[segment][child] = start + before + counts of the thread's earlier segments
//     last level:    headers[bin] = (start, total)
//     other levels:  segments of the next level = the list, divided after every `bin.segment` items
//
// Lists are stored in the order of the atomicAdd operations, so no scan over children is needed. Each list starts where the
// previous one ends, so there are no gaps between lists.
//
// Reads two words and writes one per segment and child. On the first level, each workgroup reads the needs of all segments.
// Writes 8 bytes per bin, or 12 per child and 12 for each of its segments.

import package::lib::saturating;
import package::lib::bin_level::{BinNext, child_coords, children_per_cell, pack_coords, root_segments, unpack_coords};
import package::lib::bin_status::write_status;
import package::lib::threads::{Local, Workgroup, thread_index, workgroup_index};
import package::layout::{BinCell, BinSegment, BinPlan, BinStatus, Params};
import package::constants::WORKGROUP_SIZE;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(19) var<uniform> bin: BinPlan;
@group(0) @binding(20) var<storage, read_write> bin_status: BinStatus;
// The start and length of each bin's list.
@group(0) @binding(21) var<storage, read_write> bin_headers: array<vec2<u32>>;
// matrix[segment][child]: counts, then places.
@group(0) @binding(29) var<storage, read_write> bin_matrix: array<u32>;
// For each segment of the root, the number of entries that its elements need.
@group(0) @binding(30) var<storage, read_write> bin_needs: array<u32>;
// This level's cells. Not read on the first level.
@group(0) @binding(31) var<storage, read_write> bin_cells: array<BinCell>;
// The next level's cells and their segments.
@group(0) @binding(32) var<storage, read_write> bin_next_cells: array<BinCell>;
@group(0) @binding(34) var<storage, read_write> bin_next: BinNext;

// Eight neighbouring children share a 32-byte sector of a row. The loads of a child's threads are not coalesced, but the
// threads of the other seven children find each sector in the cache.
const SCAN_CHILDREN = min(WORKGROUP_SIZE, 8u);
const SCAN_THREADS = WORKGROUP_SIZE / SCAN_CHILDREN;

// The list of a child, and its segments on the next level.
struct List {
    start: u32,
    total: u32,
    first_segment: u32,
    segments: u32,
}

var<workgroup> sums: array<u32, WORKGROUP_SIZE>;
var<workgroup> lists: array<List, SCAN_CHILDREN>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let group = workgroup_index(workgroup);
    let thread = thread_index(workgroup, local);
    let children = children_per_cell();
    let groups = (children + SCAN_CHILDREN - 1u) / SCAN_CHILDREN;
    if group >= bin.cells * groups {
        return;
    }
    let list_index = thread / SCAN_THREADS;
    let child = group % groups * SCAN_CHILDREN + list_index;
    let cell = cell_at(group / groups);
    var exists = child < children;
    if bin.level == 0u {
        let fits = all_fit(group, thread);
        exists = exists && fits;
    }

    // Rows of the matrix are below first_segment + segments, which is at most the level's segments.
    let per_thread = (cell.segments + SCAN_THREADS - 1u) / SCAN_THREADS;
    let first = min(thread % SCAN_THREADS * per_thread, cell.segments);
    let end = select(first, min(first + per_thread, cell.segments), exists);
    var own = 0u;
    for (var segment = first; segment < end; segment++) {
        own += bin_matrix[(cell.first_segment + segment) * children + child];
    }

    // A child has few threads, so each thread sums over the earlier ones itself.
    sums[thread] = own;
    workgroupBarrier();
    var before = 0u;
    for (var earlier = list_index * SCAN_THREADS; earlier < thread; earlier++) {
        before += sums[earlier];
    }
    if thread % SCAN_THREADS == SCAN_THREADS - 1u {
        lists[list_index] = new_list(before + own);
    }
    workgroupBarrier();

    let list = lists[list_index];
    var place = list.start + before;
    for (var segment = first; segment < end; segment++) {
        let at = (cell.first_segment + segment) * children + child;
        let count = bin_matrix[at];
        bin_matrix[at] = place;
        place += count;
    }
    if child < children {
        let corner = unpack_coords(cell.corner) + child_coords(child) * vec2<u32>(bin.cell_x, bin.cell_y);
        if bin.is_last != 0u {
            store_header(thread, corner, list);
        } else {
            store_cell(thread, group / groups * children + child, corner, list);
        }
    }
}

// Returns a cell; `cell` is below bin.cells.
fn cell_at(cell: u32) -> BinCell {
    if bin.level == 0u {
        return BinCell(0u, root_segments(), 0u);
    }
    return bin_cells[cell];
}

// Returns whether all entries fit the capacity; group 0 also writes the status. If they fit, the lists of all deeper
// levels fit too, because each item becomes at least one entry.
fn all_fit(group: u32, thread: u32) -> bool {
    var own = 0u;
    for (var segment = thread; segment < root_segments(); segment += WORKGROUP_SIZE) {
        own = saturating::add(own, bin_needs[segment]);
    }
    let needed = saturating::workgroup_sum(thread, own);
    if group == 0u && thread == 0u {
        write_status(needed);
    }
    return needed <= bin.entry_capacity;
}

// Allocates a list of `total` items.
fn new_list(total: u32) -> List {
    if total == 0u {
        return List();
    }
    let segments = (total + bin.segment - 1u) / bin.segment;
    return List(atomicAdd(&bin_next.items, total), total, atomicAdd(&bin_next.count, segments), segments);
}

// Cells of the last columns and rows may extend past the grid.
fn store_header(thread: u32, coords: vec2<u32>, list: List) {
    if thread % SCAN_THREADS == 0u && coords.x < bin.columns && coords.y < bin.rows {
        bin_headers[coords.y * bin.columns + coords.x] = vec2<u32>(list.start, list.total);
    }
}

// The next level has one cell per child. BinLayout allocates the maximum number of segments: one per cell, and one for each
// `bin.segment` items.
fn store_cell(thread: u32, cell: u32, coords: vec2<u32>, list: List) {
    let corner = pack_coords(coords);
    if thread % SCAN_THREADS == 0u {
        bin_next_cells[cell] = BinCell(list.first_segment, list.segments, corner);
    }
    for (var segment = thread % SCAN_THREADS; segment < list.segments; segment += SCAN_THREADS) {
        let start = list.start + segment * bin.segment;
        let end = min(start + bin.segment, list.start + list.total);
        bin_next.list[list.first_segment + segment] = BinSegment(corner, start, end);
    }
}
