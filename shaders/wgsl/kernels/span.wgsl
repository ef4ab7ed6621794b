// span: what grows in nodes that begin in one tile and end in another, or never.
//
// One workgroup a tile, a thread a survivor of the tile, then the next.
//
//     content = from the begin to the end of its tile, the tiles between,
//               and from the start of the tile with the end to the end

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= tiles_filled() {
        return;
    }
    let held = words[plan.tile_held + tile];
    let nodes = words[plan.tile_nodes + tile];
    for (var rank = thread; rank < held; rank += WORKGROUP_SIZE) {
        let begin = words[plan.slices + tile * TILE + rank];
        let node = nodes + words[plan.slice_nodes + tile * TILE + rank];
        let end = words[plan.ends + begin];
        let last_tile = select(end / TILE, tiles_filled(), end == NONE);
        var content = grow_combine(part_of(begin, node), unions_range(tile + 1u, last_tile));
        if end == NONE {
            emit_open(begin, node, content);
        } else {
            let end_node = words[plan.end_nodes + begin];
            content = grow_combine(content, part_of(end, end_node));
            emit_span(begin, node, end, end_node, content);
        }
    }
}
