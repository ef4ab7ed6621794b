// What a scene writes on the way down: boxes of draws, links and clips of nodes.
//
// Past the capacity of nodes nothing is written, and what is read is unspecified.

// A draw: visible inside the clip around it, which is also what it changes.
fn emit_leaf(item: u32, around: Flow) -> Grow {
    let visible = rect_intersect(rects[item], around);
    bounds[item] = visible;
    return visible;
}

// A begin: what it changes around it, by itself. A non-local blend may change all
// of the clip around it.
fn emit_open(item: u32, node: u32, link: u32, around: Flow, flow: Flow) -> Grow {
    if node < plan.node_capacity {
        links[node] = link;
        clips[node] = flow;
    }
    if (tags[item] & NON_LOCAL) == 0u {
        return GROW_IDENTITY;
    }
    bounds[item] = around;
    return around;
}

fn emit_close(item: u32, node: u32, link: u32, flow: Flow) {
    if node < plan.node_capacity {
        links[node] = link;
        clips[node] = select(flow, NOTHING, link == NONE);
        if link == NONE {
            contents[node] = NOTHING;
        }
    }
    if link == NONE {
        bounds[item] = NOTHING;
    }
}

fn begin_of(node: u32) -> u32 {
    return links[min(node, max(plan.node_capacity, 1u) - 1u)];
}
