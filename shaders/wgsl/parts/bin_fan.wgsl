// The children of a cell, or the bins of a window: a rectangle of them, numbered row by row.

fn fan() -> vec2<u32> {
    return vec2<u32>(bin.fan_x, bin.fan_y);
}

fn child_at(x: u32, y: u32) -> u32 {
    return y * bin.fan_x + x;
}
