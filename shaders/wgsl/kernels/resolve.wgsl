// resolve: clips and contents of a tile, links and bounds.
//
// One workgroup a tile of TILE elements. Each element has a cell in workgroup memory;
// threads take every WORKGROUP_SIZE-th element, so that neighbours load and store side
// by side.
//
//     down: cell of an open = its rect, inside the clip of its top where that lies in
//     another tile; else the top is its parent. log2(TILE) rounds of pointer jumping:
//         cell = the parent's cell, then its own; parent = the parent's parent
//     each element: around = the cell of its top
//         draw:  bounds = its rect inside `around`
//         open:  link = top; clip = its cell
//         close: link = top; clip = around
//     up: leaf of each element = what it changes: a draw its bounds, a non-local open
//     `around`; build a tree of unions over the leaves
//         node:  content = the leaves between its begin and its end
//
// What is open before the tile or after it is left in parts, for `span`: a begin has
// the union from it to the end of the tile, an end that from the tile's start.

var<workgroup> roles: array<u32, WORKGROUP_SIZE>;
// While values flow down, each open's parent in the tile; then each open's end there.
var<workgroup> others: array<u32, TILE>;

fn kernel(tile: u32, thread: u32, lanes: u32) {
    if tile >= tiles_filled() {
        return;
    }
    let tile_first = tile * TILE;
    let held = min(element_count() - tile_first, TILE);
    let own = words[plan.roles + tile * WORKGROUP_SIZE + thread];
    roles[thread] = own;
    sums_build(thread, lanes, countOneBits(role_nodes(own)));
    let tile_nodes = words[plan.tile_nodes + tile];

    // Down. Flows lie in the lower half of the cells.
    for (var at = thread; at < held; at += WORKGROUP_SIZE) {
        if is_open(at) {
            let item = tile_first + at;
            let top = tops[item];
            others[at] = top - tile_first;
            cells[at] = flow_own(item);
            // NONE is past every tile.
            if top - tile_first >= TILE {
                others[at] = NONE;
                cells[at] = flow_combine(flow_outside(top), flow_own(item));
            }
        } else {
            others[at] = NONE;
        }
    }
    for (var reach = 1u; reach < TILE; reach *= 2u) {
        workgroupBarrier();
        var values: array<Flow, PER_THREAD>;
        var ups: array<u32, PER_THREAD>;
        for (var place = 0u; place < PER_THREAD; place++) {
            let at = thread + place * WORKGROUP_SIZE;
            ups[place] = NONE;
            if at < held {
                ups[place] = others[at];
            }
            if ups[place] != NONE {
                values[place] = flow_combine(cells[ups[place]], cells[at]);
                ups[place] = others[ups[place]];
            } else {
                // Nothing to store.
                ups[place] = held;
            }
        }
        workgroupBarrier();
        for (var place = 0u; place < PER_THREAD; place++) {
            let at = thread + place * WORKGROUP_SIZE;
            if ups[place] != held {
                cells[at] = values[place];
                others[at] = ups[place];
            }
        }
    }
    workgroupBarrier();
    for (var at = thread; at < TILE; at += WORKGROUP_SIZE) {
        var change = GROW_IDENTITY;
        // For now, nothing ends in this tile.
        others[at] = TILE;
        if at < held {
            let item = tile_first + at;
            let top = tops[item];
            var around: Flow;
            if top - tile_first < TILE {
                around = cells[top - tile_first];
            } else {
                around = flow_outside(top);
            }
            if !is_node(at) {
                change = flow_combine(around, flow_own(item));
                bounds[item] = change;
            } else {
                let node = tile_nodes + rank_of(at);
                var clip = around;
                if is_open(at) {
                    clip = cells[at];
                    if is_non_local(at) {
                        change = around;
                    }
                } else if top == NONE {
                    clip = NOTHING;
                }
                if node < plan.node_capacity {
                    links[node] = top;
                    clips[node] = clip;
                }
            }
        }
        fold_leaf(at, change);
    }
    workgroupBarrier();

    // Up.
    for (var at = thread; at < held; at += WORKGROUP_SIZE) {
        if is_close(at) {
            let top = tops[tile_first + at];
            if top - tile_first < TILE {
                others[top - tile_first] = at;
            } else if top != NONE {
                words[plan.ends + top] = tile_first + at;
                words[plan.end_nodes + top] = tile_nodes + rank_of(at);
            }
        }
    }
    fold_build(thread);
    for (var at = thread; at < held; at += WORKGROUP_SIZE) {
        if is_node(at) {
            let item = tile_first + at;
            let node = tile_nodes + rank_of(at);
            var begin = at;
            var first = at + 1u;
            var end = others[at];
            if !is_open(at) {
                let top = tops[item];
                begin = top - tile_first;
                first = select(0u, begin + 1u, begin < TILE);
                // Nothing in an end without a begin.
                end = select(at, first, top == NONE);
            }
            let content = fold_range(first, end);
            var changed = content;
            if begin < TILE && is_non_local(begin) {
                changed = cells[FOLD_LEAVES + begin];
            }
            if node < plan.node_capacity {
                contents[node] = content;
            }
            bounds[item] = changed;
        }
    }
    if thread == 0u {
        unions_store(unions_size() + tile, cells[1]);
    }
}

// What flows from an open of another tile, which survived it; or from the root.
fn flow_outside(top: u32) -> Flow {
    if top == NONE {
        return flow_root();
    }
    return flow_combine(boxes[plan.tile_bases + top / TILE], boxes[plan.values + top]);
}
