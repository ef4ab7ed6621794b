// What a scene writes of what grows: contents of nodes, and their bounds, which of a
// non-local node are all that is around it. Past the capacity of nodes nothing is
// written.

// A begin is not inside itself.
fn grow_begin(own: Grow) -> Grow {
    return NOTHING;
}

// A non-local begin knows what is around it, and writes it at its end too.
fn emit_up(tile: u32, mine: Mine, other: u32, own: Grow, content: Grow) {
    emit_content(mine, content);
    if (mine.role & ROLE_CLOSES) != 0u {
        if (open_role(other) & ROLE_NON_LOCAL) == 0u {
            emit_bounds(mine, content);
        }
    } else if (mine.role & ROLE_NON_LOCAL) == 0u {
        emit_bounds(mine, content);
    } else {
        emit_bounds(mine, own);
        if other < TILE {
            bounds[element_of(tile * TILE + other)] = packed(own);
        }
    }
}

// Of a node that goes on in another tile: at its begin or at its end.
fn emit_part(mine: Mine, own: Grow, content: Grow) {
    emit_content(mine, content);
    emit_bounds(mine, select(content, own, (mine.role & ROLE_NON_LOCAL) != 0u));
}

// An end without a begin.
fn emit_nothing(mine: Mine) {
    emit_content(mine, NOTHING);
    emit_bounds(mine, NOTHING);
}

fn emit_content(mine: Mine, content: Grow) {
    if mine.node < plan.node_capacity {
        contents[mine.node] = packed(content);
    }
}
