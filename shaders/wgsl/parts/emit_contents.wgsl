// What a scene writes of what grows: contents of nodes, and their bounds, which of a
// non-local node are all that is around it. Past the capacity of nodes nothing is
// written.

// A begin is not inside itself.
fn grow_begin(own: Grow) -> Grow {
    return NOTHING;
}

// A non-local begin knows what is around it, and writes it at its end too.
fn emit_up(tile: u32, item: u32, other: u32, role: u32, node: u32, own: Grow, content: Grow) {
    if node < plan.node_capacity {
        contents[node] = packed(content);
    }
    if (role & ROLE_CLOSES) != 0u {
        if (role_in(group_load(tile, other), other) & ROLE_NON_LOCAL) == 0u {
            bounds[item] = packed(content);
        }
    } else if (role & ROLE_NON_LOCAL) == 0u {
        bounds[item] = packed(content);
    } else {
        bounds[item] = packed(own);
        if other < TILE {
            bounds[tile * TILE + other] = packed(own);
        }
    }
}

// Of a node that goes on in another tile: at its begin or at its end.
fn emit_part(item: u32, node: u32, role: u32, own: Grow, content: Grow) {
    if node < plan.node_capacity {
        contents[node] = packed(content);
    }
    bounds[item] = packed(select(content, own, (role & ROLE_NON_LOCAL) != 0u));
}

// An end without a begin.
fn emit_nothing(item: u32, node: u32) {
    emit_part(item, node, 0u, NOTHING, NOTHING);
}
