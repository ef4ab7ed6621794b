// What flows to the draws of each gap: what is around the entry after it, but inside an end.

// All threads together: nobody walks through cells any more.
fn gaps_begin(mine: Mine, flows: Flows) {
    workgroupBarrier();
    var flow = flows.own;
    if (mine.role & ROLE_OPENS) != 0u {
        flow = flows.around;
    }
    cells[mine.at] = flow;
    workgroupBarrier();
}

// What is visible of a draw.
fn draw_box(at: u32, rect: vec4<f32>) -> vec4<f32> {
    return rect_canonical(rect_intersect(cells[at], rect));
}

// What is painted before an entry, and all that is around it, of which that is a part.
fn gap_around(mine: Mine, flows: Flows) -> vec4<f32> {
    return rect_canonical(flows.around);
}
