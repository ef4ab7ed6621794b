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
//
// Three loads in a row lead to a content. Those of a thread's first survivor are asked for before the
// tree is built, for none of them needs it.

// A survivor that has been looked up.
struct Survivor {
    begin: u32,
    node: u32,
    // Where it ends, or NONE, and the node of that.
    end: u32,
    end_node: u32,
    // From the begin to the end of its tile.
    part: Part,
}

fn kernel(group: u32, thread: u32, lanes: u32) {
    let each = WORKGROUP_SIZE / SPAN_THREADS;
    if group * each >= max(tiles_filled(), 1u) {
        return;
    }
    let leaf = tree_leaf(thread);
    let tile = group * each + thread / SPAN_THREADS;
    var rank = thread % SPAN_THREADS;
    var slot = tile * TILE + rank;
    var nodes = 0u;
    var held = 0u;
    var begin = 0u;
    var rank_node = 0u;
    if tile < tiles_filled() {
        nodes = words[plan.tile_nodes + tile];
        held = node_load(0u, tile).y;
        // Of no meaning where the tile holds fewer.
        begin = words[plan.slices + slot];
        rank_node = words[plan.slice_nodes + slot];
    }
    for (var i = 0u; i < each; i++) {
        span_compact(group * each + i, thread);
    }
    var survivor: Survivor;
    if rank < held {
        survivor = survivor_load(begin, nodes + rank_node);
    }
    tree_build(thread, leaf);
    while rank < held {
        span(tile, survivor);
        rank += SPAN_THREADS;
        slot += SPAN_THREADS;
        if rank < held {
            let node = nodes + words[plan.slice_nodes + slot];
            survivor = survivor_load(words[plan.slices + slot], node);
        }
    }
}

fn survivor_load(begin: u32, node: u32) -> Survivor {
    let end = words[plan.ends + begin];
    return Survivor(begin, node, end, words[plan.end_nodes + begin], part_of(begin, node));
}

fn span(tile: u32, survivor: Survivor) {
    let end = survivor.end;
    let last_tile = select(end / TILE, tiles_filled(), end == NONE);
    let content = grow_combine(survivor.part.content, tree_range(tile + 1u, last_tile));
    if end == NONE {
        emit_open(survivor, content);
    } else {
        emit_span(survivor, grow_combine(content, end_part(end)));
    }
}
