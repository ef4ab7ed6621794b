// What a scene writes of what grows: contents of nodes, and their bounds, which of a
// non-local node are all that is around it. Past the capacity of nodes nothing is
// written.

// A non-local begin knows its bounds before anything grows, and writes them at its end too. (Nobody then
// needs to keep them: of the registers that are left, a third more workgroups run.)
fn emit_early(tile: u32, mine: Mine, other: u32, own: Grow) {
    if (mine.role & ROLE_NON_LOCAL) != 0u {
        let around = non_local_bounds(own);
        emit_bounds(mine, around);
        if other < TILE {
            bounds[element_of(tile * TILE + other)] = packed(around);
        }
    }
}

// Of a node, or as much of it as is in the tile; of an end without a begin, nothing.
//
// Lanes store side by side what they can, whatever they are: half a sector costs as much as a whole one.
fn emit_up(mine: Mine, other: u32, content: Grow, is_whole: bool) {
    emit_content(mine, content);
    var role = mine.role;
    if (role & ROLE_CLOSES) != 0u && other < TILE {
        role = open_role(other);
    }
    if (role & ROLE_NON_LOCAL) == 0u {
        emit_bounds(mine, content);
    }
}

fn emit_content(mine: Mine, content: Grow) {
    if mine.node < plan.node_capacity {
        contents[mine.node] = packed(content);
    }
}
