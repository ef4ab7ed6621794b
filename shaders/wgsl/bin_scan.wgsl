// bin_scan: where is the list of each child, and where in it do the items of each chunk go? (The spine of a level.)
//
// A workgroup has SCAN_CHILDREN children of one cell, a child SCAN_THREADS threads side by side, a thread a run of
// consecutive chunks of the cell.
//
//     first level: needed = sum of needs; the status; where they do not fit, every list is empty
//     own = sum of matrix[chunk][child] over the thread's run
//     before = exclusive scan of own over the threads of the child; total = its sum
//     start of the child's list = atomicAdd(items, total)
//     matrix[chunk][child] = start + before + counts of earlier chunks of the run
//     last level:    headers[bin] = (start, total)
//     other levels:  chunks of the next level = the list, cut after every `bin.chunk` items
//
// Lists lie in the order in which atomicAdd served them: no scan over children is needed, and the additions to one atomic
// are in some order, whatever it is. Without gaps, because each begins where the one served before ends.
//
// Reads two words and writes one for each chunk and child; each workgroup of the first level reads all needs. Writes 8 bytes
// a bin, or 12 a child and 12 a chunk of it.

import package::lib::saturating;
import package::lib::bin_level::{BinNext, child_coords, children_per_cell, pack_coords, root_chunks, unpack_coords};
import package::lib::bin_status::write_status;
import package::lib::threads::{Local, Workgroup, thread_index, workgroup_index};
import package::layout::{BinCell, BinChunk, BinPlan, BinStatus, Params};
import package::constants::WORKGROUP_SIZE;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(19) var<uniform> bin: BinPlan;
@group(0) @binding(20) var<storage, read_write> bin_status: BinStatus;
// Where the list of each bin begins, and how long it is.
@group(0) @binding(21) var<storage, read_write> bin_headers: array<vec2<u32>>;
// matrix[chunk][child]: counts, then places.
@group(0) @binding(29) var<storage, read_write> bin_matrix: array<u32>;
// Of each chunk of the root, the entries that its elements need.
@group(0) @binding(30) var<storage, read_write> bin_needs: array<u32>;
// This level's cells, but for the root.
@group(0) @binding(31) var<storage, read_write> bin_cells: array<BinCell>;
// The next level's cells, and their chunks.
@group(0) @binding(32) var<storage, read_write> bin_next_cells: array<BinCell>;
@group(0) @binding(34) var<storage, read_write> bin_next: BinNext;

// Eight children side by side share a 32-byte sector of a row. Threads of a child read words that are run * children apart:
// not coalesced, but the threads of the other seven children find each sector in the cache.
const SCAN_CHILDREN = min(WORKGROUP_SIZE, 8u);
const SCAN_THREADS = WORKGROUP_SIZE / SCAN_CHILDREN;

// The list of a child, and its chunks on the next level.
struct List {
    start: u32,
    total: u32,
    first_chunk: u32,
    chunks: u32,
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

    // Rows of the matrix are below first_chunk + chunks, which is at most the level's chunks.
    let run = (cell.chunks + SCAN_THREADS - 1u) / SCAN_THREADS;
    let first = min(thread % SCAN_THREADS * run, cell.chunks);
    let end = select(first, min(first + run, cell.chunks), exists);
    var own = 0u;
    for (var chunk = first; chunk < end; chunk++) {
        own += bin_matrix[(cell.first_chunk + chunk) * children + child];
    }

    // A child has few threads: each thread sums by itself what those before it have.
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
    for (var chunk = first; chunk < end; chunk++) {
        let at = (cell.first_chunk + chunk) * children + child;
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

// The cell, below bin.cells.
fn cell_at(cell: u32) -> BinCell {
    if bin.level == 0u {
        return BinCell(0u, root_chunks(), 0u);
    }
    return bin_cells[cell];
}

// Whether all entries fit the capacity; group 0 writes the status. Where they fit, the lists of each deeper level do,
// too: each item becomes at least one entry.
fn all_fit(group: u32, thread: u32) -> bool {
    var own = 0u;
    for (var chunk = thread; chunk < root_chunks(); chunk += WORKGROUP_SIZE) {
        own = saturating::add(own, bin_needs[chunk]);
    }
    let needed = saturating::workgroup_sum(thread, own);
    if group == 0u && thread == 0u {
        write_status(needed);
    }
    return needed <= bin.entry_capacity;
}

// Allocates a list of so many items.
fn new_list(total: u32) -> List {
    if total == 0u {
        return List();
    }
    let chunks = (total + bin.chunk - 1u) / bin.chunk;
    return List(atomicAdd(&bin_next.items, total), total, atomicAdd(&bin_next.count, chunks), chunks);
}

// Cells of the last columns and rows may reach past the grid.
fn store_header(thread: u32, coords: vec2<u32>, list: List) {
    if thread % SCAN_THREADS == 0u && coords.x < bin.columns && coords.y < bin.rows {
        bin_headers[coords.y * bin.columns + coords.x] = vec2<u32>(list.start, list.total);
    }
}

// The next level has a cell for each child, and all lists together no more chunks than BinLayout allocates: one a
// cell, and one for each `bin.chunk` items.
fn store_cell(thread: u32, cell: u32, coords: vec2<u32>, list: List) {
    let corner = pack_coords(coords);
    if thread % SCAN_THREADS == 0u {
        bin_next_cells[cell] = BinCell(list.first_chunk, list.chunks, corner);
    }
    for (var chunk = thread % SCAN_THREADS; chunk < list.chunks; chunk += SCAN_THREADS) {
        let start = list.start + chunk * bin.chunk;
        let end = min(start + bin.chunk, list.start + list.total);
        bin_next.list[list.first_chunk + chunk] = BinChunk(corner, start, end);
    }
}
