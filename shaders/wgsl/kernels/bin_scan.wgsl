// bin_scan: prefix sums inside each tile of the matrix, and the sum of each.
//
// One workgroup a tile of TILE entries; thread t takes the PER_THREAD entries from
// tile * TILE + t * PER_THREAD on. There is a tile for the matrix's end too, so
// tiles = size / TILE + 1; the matrix was laid out in whole tiles.
//
//     matrix[entry] = sum of the entries before it in its tile
//     sums[tile] = sum of all its entries
//
// Reads and writes a word an entry.

fn kernel(tile: u32, thread: u32, lanes: u32) {
    let size = matrix_size(thread);
    if size == NONE || tile > size / TILE {
        return;
    }
    let first = tile * TILE + thread * PER_THREAD;
    var own: array<u32, PER_THREAD>;
    var sum = 0u;
    for (var i = 0u; i < PER_THREAD; i++) {
        let entry = first + i;
        own[i] = 0u;
        if entry < size {
            own[i] = words[bin.matrix + entry];
        }
        sum = combine(sum, own[i]);
    }
    block_build(thread, lanes, sum);
    var before = block_before(thread);
    for (var i = 0u; i < PER_THREAD; i++) {
        words[bin.matrix + first + i] = before;
        before = combine(before, own[i]);
    }
    if thread == 0u {
        words[bin.sums + tile] = block[1];
    }
}
