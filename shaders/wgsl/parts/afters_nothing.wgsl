// Nothing flows: what is around all is the viewport, and cuts nothing.
fn flow_after(nodes: u32) -> vec4<f32> {
    return params.viewport;
}

fn draw_box(nodes: u32, rect: vec4<f32>) -> vec4<f32> {
    return rect;
}
