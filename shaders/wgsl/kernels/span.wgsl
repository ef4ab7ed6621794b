// span: what grows in nodes that begin in one tile and end in another, or never.
//
// One workgroup a tile, a thread a survivor of the tile.
//
//     content = from the begin to the end of its tile, the tiles between,
//               and from the start of the tile with the end to the end
//
// Where a workgroup holds a leaf for every tile (near), it builds the tree over the tiles
// itself. For scenes it also compacts the nodes out of all elements.

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= max(tiles_filled(), 1u) {
        return;
    }
    var nodes = 0u;
    var held = 0u;
    if tile < tiles_filled() {
        nodes = words[plan.tile_nodes + tile];
        held = node_load(0u, tile).y;
    }
    span_compact(tile, thread, nodes);
    tree_build(thread);
    if thread >= held {
        return;
    }
    let slot = tile * TILE + thread;
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
