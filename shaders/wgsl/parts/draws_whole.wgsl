// Nothing flows, and nothing is cut: around all is the viewport, and draws may reach beyond it.

fn gaps_begin(mine: Mine, flows: Flows) {}

fn draw_box(at: u32, rect: vec4<f32>) -> vec4<f32> {
    return rect;
}

// What is painted before an entry, and the viewport.
fn gap_around(mine: Mine, flows: Flows) -> vec4<f32> {
    return rect_union(cells[mine.at], params.viewport);
}
