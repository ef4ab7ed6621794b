// What a scene writes where it wants blends alone: links of nodes, and boxes of draws as
// they are. Past the capacity of nodes nothing is written.
fn emit_down(mine: Mine, flows: Flows) {
    if mine.role == 0u {
        bounds[mine.item] = packed(rect_of(mine.item));
    } else if mine.node < plan.node_capacity {
        links[mine.node] = mine.top;
    }
}
