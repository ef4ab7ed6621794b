// Where the items of a chunk go, where there are few chunks: every workgroup sums the matrix
// itself, which lies chunk by chunk.
//
//     a thread has a child and every so many-th chunk:
//         totals[child] += items of all chunks, places[child] += of those before its own
//     a list begins where those of earlier children end
//     first chunk: status, and where every list is; nothing where not all entries fit
//
// Children are bins here, in their order. Sums are below 2^32: there are at most 2^10 children,
// and so few chunks of at most 2^15 items that none has more entries than that (BinLayout).
//
// Reads a word a child of every chunk, writes two words a bin.

var<workgroup> totals: array<atomic<u32>, BIN_FAN * BIN_FAN>;
var<workgroup> shared_needed: u32;

fn emit_chunk(group: u32, thread: u32) -> Chunk {
    return find_chunk(group, thread, false);
}

fn places_build(chunk: Chunk, corner: vec2<u32>, thread: u32, lanes: u32) -> bool {
    let all = fan().x * fan().y;
    for (var child = thread; child < all; child += WORKGROUP_SIZE) {
        atomicStore(&totals[child], 0u);
        atomicStore(&places[child], 0u);
    }
    workgroupBarrier();
    let parts = max(WORKGROUP_SIZE / all, 1u);
    for (var at = thread; at < parts * all; at += WORKGROUP_SIZE) {
        let child = at % all;
        var total = 0u;
        var before = 0u;
        for (var other = at / all; other < chunk.chunks; other += parts) {
            let count = words[bin.matrix + other * all + child];
            total += count;
            before += select(0u, count, other < chunk.index);
        }
        atomicAdd(&totals[child], total);
        atomicAdd(&places[child], before);
    }
    workgroupBarrier();

    // A run of children a thread; each round adds what the thread `reach` before has summed
    // so far. The places of elements are free until the first batch.
    let run = (all + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
    let threads = min(all, WORKGROUP_SIZE);
    let first = min(thread * run, all);
    let end = min(first + run, all);
    var own = 0u;
    for (var child = first; child < end; child++) {
        own += atomicLoad(&totals[child]);
    }
    var sum = own;
    for (var reach = 1u; reach < threads; reach *= 2u) {
        elements[thread] = sum;
        workgroupBarrier();
        if thread >= reach {
            sum += elements[thread - reach];
        }
        workgroupBarrier();
    }
    if thread == threads - 1u {
        shared_needed = sum;
    }
    var start = sum - own;
    let needed = workgroupUniformLoad(&shared_needed);
    let fits = needed <= bin.entry_capacity;
    if chunk.index == 0u && thread == 0u {
        write_status(needed, fits);
    }
    for (var child = first; child < end; child++) {
        let total = atomicLoad(&totals[child]);
        atomicAdd(&places[child], start);
        if chunk.index == 0u {
            bin_headers[child] = select(vec2<u32>(0u), vec2<u32>(start, total), fits);
        }
        start += total;
    }
    return fits;
}
