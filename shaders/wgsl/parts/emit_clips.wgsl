// Links (as element indices), clips, and for later kernels: each begin's end,
// and the node that encloses what follows each node.

fn emit_open(item: u32, link: u32, flow: Flow) {
    links[item] = element_of(link);
    clips[item] = flow;
    words[plan.around + item] = item;
}

fn emit_close(item: u32, link: u32, around: u32, flow: Flow) {
    links[item] = element_of(link);
    clips[item] = select(flow, NOTHING, link == NONE);
    words[plan.around + item] = around;
    if link != NONE {
        words[plan.ends + link] = item;
    }
}

fn element_of(node: u32) -> u32 {
    if node == NONE {
        return NONE;
    }
    return node_elements[node];
}
