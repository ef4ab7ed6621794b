// Where the items of a chunk go: the matrix's prefix sums, once it is scanned. The first
// chunk of a parent says on the last level where its children's lists are.

fn emit_chunk(group: u32, thread: u32) -> Chunk {
    return find_chunk(group, thread, true);
}

fn places_build(chunk: Chunk, corner: vec2<u32>, thread: u32, lanes: u32) -> bool {
    let all = fan().x * fan().y;
    for (var child = thread; child < all; child += WORKGROUP_SIZE) {
        let first = chunk.matrix + child * chunk.chunks;
        let place = scanned(first + chunk.index);
        atomicStore(&places[child], place);
        let at = corner + child_place(child);
        if bin.is_last != 0u && chunk.index == 0u && at.x < bin.columns && at.y < bin.rows {
            let end = scanned(first + chunk.chunks);
            bin_headers[at.y * bin.columns + at.x] = vec2<u32>(place, end - place);
        }
    }
    return true;
}
