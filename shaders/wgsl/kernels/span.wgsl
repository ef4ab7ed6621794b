// span: what grows in nodes that begin in one tile and end in another, or never.
//
// SPAN_THREADS threads a tile, all of a workgroup or a part; each has every SPAN_THREADS-th
// survivor of the tile.
//
//     content = from the begin to the end of its tile, the tiles between,
//               and from the start of the tile with the end to the end
//
// Where a workgroup holds a leaf for every tile (near), it builds the tree over the tiles
// itself. For scenes it also compacts the nodes out of all elements.

fn kernel(group: u32, thread: u32, lanes: u32) {
    let each = WORKGROUP_SIZE / SPAN_THREADS;
    if group * each >= max(tiles_filled(), 1u) {
        return;
    }
    for (var i = 0u; i < each; i++) {
        span_compact(group * each + i, thread);
    }
    tree_build(thread);
    let tile = group * each + thread / SPAN_THREADS;
    if tile >= tiles_filled() {
        return;
    }
    let nodes = words[plan.tile_nodes + tile];
    let held = node_load(0u, tile).y;
    for (var rank = thread % SPAN_THREADS; rank < held; rank += SPAN_THREADS) {
        span(tile, nodes, tile * TILE + rank);
    }
}

// One survivor of a tile, by its slot.
fn span(tile: u32, nodes: u32, slot: u32) {
    let begin = words[plan.slices + slot];
    let node = nodes + words[plan.slice_nodes + slot];
    let end = words[plan.ends + begin];
    let last_tile = select(end / TILE, tiles_filled(), end == NONE);
    var content = grow_combine(part_of(begin, node), tree_range(tile + 1u, last_tile));
    if end == NONE {
        emit_open(begin, node, content);
    } else {
        let end_node = words[plan.end_nodes + begin];
        content = grow_combine(content, part_of(end, end_node));
        emit_span(begin, node, end, end_node, content);
    }
}
