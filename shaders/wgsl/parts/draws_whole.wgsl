// Nothing flows: what is around all is the viewport, and cuts nothing.

fn gaps_begin(mine: Mine, flows: Flows) {}

fn draw_box(at: u32, rect: vec4<f32>) -> vec4<f32> {
    return rect;
}

fn gap_around(flows: Flows) -> vec4<f32> {
    return params.viewport;
}
