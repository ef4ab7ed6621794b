// span: what grows in nodes that begin in one tile and end in another, or never.
//
// SPAN_THREADS threads a tile, all of a workgroup or a part, which has SPAN_TILES; each has every SPAN_THREADS-th slot of the
// tile. Survivors have the first of them, or where there are few elements (nearest) each the one of its element.
//
//     content = from the begin to the end of its tile, the tiles between,
//               and from the start of the tile with the end to the end
//
// Where a workgroup has a thread for every tile (near), a scan over those after its own gives the
// tiles between, and for scenes it also compacts the nodes out of all elements; else `outside` has compacted, and a scan
// over bundles of tiles gives them, where there is a thread for every bundle, or the tree over all tiles.
//
// Two loads in a row lead to a content, or three where nodes are few, and then, but near, some to the tiles between. Those of a
// thread's first survivor are asked for before the scan, for none of them needs it.

// Its parts: from the begin to the end of its tile; and from the start of the tile with the end.
struct Parts {
    begin: Grow,
    end: Grow,
}

const SPAN_THREADS = WORKGROUP_SIZE / SPAN_TILES;

fn kernel(group: u32, thread: u32, subgroup: u32) {
    let lanes = lanes_begin(thread, subgroup);
    if group * SPAN_TILES >= max(tiles_filled(), 1u) {
        return;
    }
    let tile = group * SPAN_TILES + thread / SPAN_THREADS;
    let leaf = range_load(tile, thread);
    var slot = tile * TILE + thread % SPAN_THREADS;
    var nodes = 0u;
    var held_end = 0u;
    var survivor: Survivor;
    if tile < tiles_filled() {
        nodes = nodes_before_tile(tile);
        held_end = slots_end(tile);
        // Of no meaning where the tile holds fewer.
        survivor = survivor_load(slot, nodes);
    }
    span_compact(tile, thread);
    var parts: Parts;
    if slot < held_end && is_survivor(slot, survivor) {
        parts = parts_load(survivor);
    }
    range_build(tile, thread, lanes, leaf);
    while slot < held_end {
        if is_survivor(slot, survivor) {
            span(tile, survivor, parts);
        }
        slot += SPAN_THREADS;
        if slot < held_end {
            survivor = survivor_load(slot, nodes);
            parts = parts_load(survivor);
        }
    }
}

fn parts_load(survivor: Survivor) -> Parts {
    var end = grow_identity();
    if survivor.end != NONE {
        end = end_part(survivor);
    }
    return Parts(begin_part(survivor), end);
}

fn span(tile: u32, survivor: Survivor, parts: Parts) {
    let end = survivor.end;
    let last_tile = select(end / TILE, tiles_filled(), end == NONE);
    let content = grow_combine(parts.begin, range_of(tile, last_tile));
    if end == NONE {
        emit_open(survivor, content);
    } else {
        let all = grow_combine(content, parts.end);
        emit_open(survivor, all);
        emit_end(survivor, all);
    }
}
