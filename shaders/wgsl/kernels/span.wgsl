// span: what grows in nodes that begin in one tile and end in another, or never.
//
// SPAN_THREADS threads a tile, all of a workgroup or a part; each has every SPAN_THREADS-th
// survivor of the tile.
//
//     content = from the begin to the end of its tile, the tiles between,
//               and from the start of the tile with the end to the end
//
// Where a workgroup has a thread for every tile (near), a scan over those after its own gives the
// tiles between, and for scenes it also compacts the nodes out of all elements; else the tree over all
// tiles does, and `outside` has compacted.
//
// Two loads in a row lead to a content. Those of a thread's first survivor are asked for before
// the scan, for none of them needs it.

// A survivor of a tile, by its slot: where it begins, its place among the nodes of the tile, whether it is
// local, where it ends, or NONE, and the node of that.
struct Survivor {
    begin: u32,
    rank: u32,
    is_local: bool,
    end: u32,
    end_node: u32,
}

// Its parts: from the begin to the end of its tile; and from the start of the tile with the end.
struct Parts {
    begin: Grow,
    end: Grow,
}

fn kernel(group: u32, thread: u32, subgroup: u32) {
    let lanes = lanes_begin(thread, subgroup);
    let each = WORKGROUP_SIZE / SPAN_THREADS;
    if group * each >= max(tiles_filled(), 1u) {
        return;
    }
    let tile = group * each + thread / SPAN_THREADS;
    let leaf = range_load(tile, thread);
    var slot = tile * TILE + thread % SPAN_THREADS;
    var nodes = 0u;
    var held_end = 0u;
    var survivor: Survivor;
    if tile < tiles_filled() {
        nodes = words[plan.tile_nodes + tile];
        held_end = tile * TILE + node_load(0u, tile).y;
        // Of no meaning where the tile holds fewer.
        survivor = survivor_load(slot);
    }
    span_compact(tile, thread);
    var parts: Parts;
    if slot < held_end {
        parts = parts_load(survivor, nodes);
    }
    range_build(tile, thread, lanes, leaf);
    while slot < held_end {
        span(tile, survivor, nodes, parts);
        slot += SPAN_THREADS;
        if slot < held_end {
            survivor = survivor_load(slot);
            parts = parts_load(survivor, nodes);
        }
    }
}

fn survivor_load(slot: u32) -> Survivor {
    let begin = words[plan.slices + slot];
    let known = words[plan.slice_nodes + slot];
    let is_local = (survivor_role(known) & ROLE_NON_LOCAL) == 0u;
    let rank = survivor_rank(known);
    return Survivor(begin, rank, is_local, words[plan.ends + slot], words[plan.end_nodes + slot]);
}

fn parts_load(survivor: Survivor, nodes: u32) -> Parts {
    var end = grow_identity();
    if survivor.end != NONE {
        end = end_part(survivor.end);
    }
    return Parts(begin_part(survivor.begin, nodes + survivor.rank), end);
}

fn span(tile: u32, survivor: Survivor, nodes: u32, parts: Parts) {
    let end = survivor.end;
    let node = nodes + survivor.rank;
    let last_tile = select(end / TILE, tiles_filled(), end == NONE);
    let content = grow_combine(parts.begin, range_of(tile, last_tile));
    if end == NONE {
        emit_open(survivor, node, content);
    } else {
        let all = grow_combine(content, parts.end);
        emit_open(survivor, node, all);
        emit_end(survivor, all);
    }
}
