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
    var top: array<u32, PER_THREAD>;
    for (var j = 0u; j < PER_THREAD; j++) {
        top[j] = tops[tile_first + min(thread + j * WORKGROUP_SIZE, held - 1u)];
    }
    let own = words[plan.roles + tile * WORKGROUP_SIZE + thread];
    roles[thread] = own;
    sums_build(thread, lanes, countOneBits(role_nodes(own)));
    let tile_nodes = words[plan.tile_nodes + tile];
    // Elements past the last have no role.
    var role: array<u32, PER_THREAD>;
    for (var j = 0u; j < PER_THREAD; j++) {
        role[j] = role_of(thread + j * WORKGROUP_SIZE);
    }

    // Down. Flows lie in the lower half of the cells.
    var flow: array<Flow, PER_THREAD>;
    var up: array<u32, PER_THREAD>;
    for (var j = 0u; j < PER_THREAD; j++) {
        let at = thread + j * WORKGROUP_SIZE;
        flow[j] = FLOW_IDENTITY;
        if at < held && (role[j] & ROLE_CLOSES) == 0u {
            flow[j] = flow_own(tile_first + at);
        }
        up[j] = NONE;
        // NONE is past every tile.
        let parent = top[j] - tile_first;
        if (role[j] & ROLE_OPENS) != 0u {
            up[j] = parent;
            if parent >= TILE {
                up[j] = NONE;
                flow[j] = flow_combine(flow_outside(top[j]), flow[j]);
            }
            cells[at] = flow[j];
            others[at] = up[j];
        }
    }
    for (var reach = 1u; reach < TILE; reach *= 2u) {
        workgroupBarrier();
        var moved: array<bool, PER_THREAD>;
        for (var j = 0u; j < PER_THREAD; j++) {
            moved[j] = up[j] != NONE;
            if moved[j] {
                flow[j] = flow_combine(cells[up[j]], flow[j]);
                up[j] = others[up[j]];
            }
        }
        workgroupBarrier();
        for (var j = 0u; j < PER_THREAD; j++) {
            let at = thread + j * WORKGROUP_SIZE;
            if moved[j] {
                cells[at] = flow[j];
                others[at] = up[j];
            }
        }
    }
    workgroupBarrier();
    for (var j = 0u; j < PER_THREAD; j++) {
        let at = thread + j * WORKGROUP_SIZE;
        var change = GROW_IDENTITY;
        if at < held {
            let item = tile_first + at;
            var around = FLOW_IDENTITY;
            if (role[j] & (ROLE_OPENS | ROLE_NON_LOCAL)) != ROLE_OPENS {
                let parent = top[j] - tile_first;
                if parent < TILE {
                    around = cells[parent];
                } else {
                    around = flow_outside(top[j]);
                }
            }
            if role[j] == 0u {
                change = flow_combine(around, flow[j]);
                bounds[item] = change;
            } else {
                var clip = around;
                if (role[j] & ROLE_OPENS) != 0u {
                    clip = flow[j];
                    if (role[j] & ROLE_NON_LOCAL) != 0u {
                        change = around;
                    }
                } else if top[j] == NONE {
                    clip = NOTHING;
                }
                let node = tile_nodes + rank_of(at);
                if node < plan.node_capacity {
                    links[node] = top[j];
                    clips[node] = clip;
                }
            }
        }
        fold_leaf(at, change);
        // For now, nothing ends in this tile.
        others[at] = TILE;
    }
    workgroupBarrier();

    // Up.
    for (var j = 0u; j < PER_THREAD; j++) {
        let at = thread + j * WORKGROUP_SIZE;
        if (role[j] & ROLE_CLOSES) != 0u {
            let parent = top[j] - tile_first;
            if parent < TILE {
                others[parent] = at;
            } else if top[j] != NONE {
                words[plan.ends + top[j]] = tile_first + at;
                words[plan.end_nodes + top[j]] = tile_nodes + rank_of(at);
            }
        }
    }
    fold_build(thread);
    for (var j = 0u; j < PER_THREAD; j++) {
        let at = thread + j * WORKGROUP_SIZE;
        if role[j] != 0u {
            var begin = at;
            var first = at + 1u;
            var end = others[at];
            var non_local = (role[j] & ROLE_NON_LOCAL) != 0u;
            if (role[j] & ROLE_CLOSES) != 0u {
                begin = top[j] - tile_first;
                first = 0u;
                end = at;
                if begin < TILE {
                    first = begin + 1u;
                    non_local = (role_of(begin) & ROLE_NON_LOCAL) != 0u;
                } else if top[j] == NONE {
                    // Nothing is in an end without a begin.
                    end = 0u;
                }
            }
            let content = fold_range(first, end);
            var changed = content;
            if non_local {
                changed = cells[FOLD_LEAVES + begin];
            }
            let node = tile_nodes + rank_of(at);
            if node < plan.node_capacity {
                contents[node] = content;
            }
            bounds[tile_first + at] = changed;
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
