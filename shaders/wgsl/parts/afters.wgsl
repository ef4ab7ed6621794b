// What flows to elements that have so many nodes before them: from the last node, if that is a begin,
// else from what is around it.
fn flow_after(nodes: u32) -> vec4<f32> {
    if nodes == 0u {
        return params.viewport;
    }
    return products[plan.afters + nodes - 1u];
}

// What is visible of a draw after so many nodes.
fn draw_box(nodes: u32, rect: vec4<f32>) -> vec4<f32> {
    return rect_canonical(rect_intersect(flow_after(nodes), rect));
}
