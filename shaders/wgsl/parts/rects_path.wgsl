// Rects come as Vello's boxes of paths: four integers, and two words that are not read.

struct RectIn {
    x0: i32,
    y0: i32,
    x1: i32,
    y1: i32,
    draw_flags: u32,
    transform: u32,
}

fn rect_of(item: u32) -> vec4<f32> {
    let path = rects[item];
    let edges = vec4<i32>(path.x0, path.y0, path.x1, path.y1);
    return edges_of(edges, -2147483647i - 1i, 2147483647i);
}
