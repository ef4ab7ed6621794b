// span: the contents of nodes that begin in one tile and end in another, or never.
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
    let tile_nodes = words[plan.tile_nodes + tile];
    for (var rank = thread; rank < held; rank += WORKGROUP_SIZE) {
        let begin = words[plan.slices + tile * TILE + rank];
        let begin_node = tile_nodes + words[plan.slice_nodes + tile * TILE + rank];
        let end = words[plan.ends + begin];
        let last_tile = select(end / TILE, tiles_filled(), end == NONE);
        var content = rect_union(part_of(begin_node), unions_range(tile + 1u, last_tile));
        let is_local = (tags[begin] & NON_LOCAL) == 0u;
        if end != NONE {
            let end_node = words[plan.end_nodes + begin];
            content = rect_union(content, part_of(end_node));
            store_content(end_node, content);
            if is_local {
                bounds[end] = content;
            } else {
                bounds[end] = bounds[begin];
            }
        }
        store_content(begin_node, content);
        if is_local {
            bounds[begin] = content;
        }
    }
}

// Past the capacity of nodes nothing is written, and what is read is unspecified.

fn part_of(node: u32) -> vec4<f32> {
    return contents[min(node, max(plan.node_capacity, 1u) - 1u)];
}

fn store_content(node: u32, content: vec4<f32>) {
    if node < plan.node_capacity {
        contents[node] = content;
    }
}
