// bin_sums: between the tiles of a level; then the status, and the next level.
//
// One workgroup.
//
//     sums[tile] = sum of all tiles before it
//     first level: status; if the entries do not fit, every bin is empty, and stop
//     for each child of this level, a parent of the next one:
//         starts = where its list begins, firsts = where its chunks do, corners = its
//         first bin
//
// Reads and writes a word a tile; reads two and writes three a child, but for the
// last level.

// Where a scan has got to. Between its rounds every thread has the same.
var<private> carried: u32;

fn kernel(group: u32, thread: u32, lanes: u32) {
    let size = matrix_size(thread);
    if size == NONE || group != 0u {
        return;
    }
    carried = 0u;
    let tiles = size / TILE + 1u;
    for (var first = 0u; first < tiles; first += WORKGROUP_SIZE) {
        let tile = first + thread;
        var sum = 0u;
        if tile < tiles {
            sum = words[bin.sums + tile];
        }
        let before = carry(thread, lanes, sum);
        if tile < tiles {
            words[bin.sums + tile] = before;
        }
    }
    if bin.level == 0u && !all_fit(thread, lanes) {
        return;
    }
    if bin.is_last != 0u {
        return;
    }
    storageBarrier();
    carried = 0u;
    let all = fan().x * fan().y;
    let cells = bin.parents * all;
    for (var first = 0u; first < cells; first += WORKGROUP_SIZE) {
        let cell = first + thread;
        var chunks = 0u;
        if cell < cells {
            let parent = cell / all;
            let child = cell % all;
            let own = first_chunk(parent + 1u) - first_chunk(parent);
            let entry = first_chunk(parent) * all + child * own;
            let start = scanned(entry);
            chunks = chunks_around(scanned(entry + own) - start);
            let place = child_place(child) * vec2<u32>(bin.cell_x, bin.cell_y);
            let corner = corner(parent) + place;
            words[bin.next_starts + cell] = start;
            words[bin.next_corners + cell] = corner.x | (corner.y << 16u);
        }
        let before = carry(thread, lanes, chunks);
        if cell < cells {
            words[bin.next_firsts + cell] = before;
        }
    }
    if thread == 0u {
        words[bin.next_starts + cells] = scanned(size);
        words[bin.next_firsts + cells] = carried;
    }
}

// What is before this thread's value, in this round and those before it.
fn carry(thread: u32, lanes: u32, value: u32) -> u32 {
    block_build(thread, lanes, value);
    let before = combine(carried, block_before(thread));
    carried = combine(carried, block[1]);
    workgroupBarrier();
    return before;
}

// Whether there is room for all entries; and says so.
fn all_fit(thread: u32, lanes: u32) -> bool {
    let chunks = chunks_around(element_count());
    var own = 0u;
    for (var chunk = thread; chunk < chunks; chunk += WORKGROUP_SIZE) {
        own = combine(own, words[bin.needs + chunk]);
    }
    block_build(thread, lanes, own);
    let needed = workgroupUniformLoad(&block[1]);
    let fits = needed <= bin.entry_capacity;
    if thread == 0u {
        write_status(needed, fits);
    }
    if !fits {
        let bins = bin.columns * bin.rows;
        for (var at = thread; at < bins; at += WORKGROUP_SIZE) {
            bin_headers[at] = vec2<u32>(0u);
        }
    }
    return fits;
}
