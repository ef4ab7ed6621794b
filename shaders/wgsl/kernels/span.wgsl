// span: the contents of nodes that begin in one tile and end in another, or never.
//
// One workgroup a tile, a thread an entry of the tile's slice, then the next.
//
//     content = from the begin to the end of its tile, the tiles between,
//               and from the start of the tile with the end to the end

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= tiles_filled() {
        return;
    }
    let held = tiles_load(tiles_size() + tile).y;
    for (var entry = thread; entry < held; entry += WORKGROUP_SIZE) {
        let slot = tile * TILE + entry;
        let begin = words[plan.slices + slot];
        let begin_node = words[plan.slice_nodes + slot];
        let end = words[plan.slice_ends + slot];
        if end == NONE {
            let after = unions_range(tile + 1u, tiles_filled());
            emit_open_content(begin, begin_node, rect_union(part_of(begin_node), after));
        } else {
            let end_node = words[plan.slice_end_nodes + slot];
            let between = unions_range(tile + 1u, end / TILE);
            let content = rect_union(part_of(begin_node), rect_union(between, part_of(end_node)));
            emit_content(begin, begin_node, end, end_node, content);
        }
    }
}

// A node without an end.
fn emit_open_content(begin: u32, begin_node: u32, content: vec4<f32>) {
    emit_part(begin_node, content);
    if (tags[begin] & NON_LOCAL) == 0u {
        bounds[begin] = content;
    }
}
