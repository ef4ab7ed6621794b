// What a scene writes of what grows: contents of nodes, and their bounds, which of a
// non-local node are all that is around it. Past the capacity of nodes nothing is
// written.

// A begin is not inside itself.
fn grow_begin(own: Grow) -> Grow {
    return NOTHING;
}

// Of a node, or as much of it as is in the tile; of an end without a begin, nothing. A non-local begin
// knows what is around it, and writes it at its end too.
//
// Lanes store side by side what they can, whatever they are: half a sector costs as much as a whole one.
fn emit_up(tile: u32, mine: Mine, other: u32, own: Grow, content: Grow, is_whole: bool) {
    emit_content(mine, content);
    let is_non_local = (mine.role & ROLE_NON_LOCAL) != 0u;
    var begin_writes = false;
    if (mine.role & ROLE_CLOSES) != 0u && other < TILE {
        begin_writes = (open_role(other) & ROLE_NON_LOCAL) != 0u;
    }
    if !begin_writes {
        emit_bounds(mine, select(content, own, is_non_local));
    }
    if is_non_local && other < TILE {
        bounds[element_of(tile * TILE + other)] = packed(own);
    }
}

fn emit_content(mine: Mine, content: Grow) {
    if mine.node < plan.node_capacity {
        contents[mine.node] = packed(content);
    }
}
