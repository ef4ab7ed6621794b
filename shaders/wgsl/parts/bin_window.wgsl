// A window of bins: a rectangle of them, whose sides are powers of two. It may reach past the last
// column and row.

fn child_place(child: u32) -> vec2<u32> {
    return vec2<u32>(child & (bin.fan_x - 1u), child >> firstTrailingBit(bin.fan_x));
}

// Which bins of the window at `corner` these are: half open; all 0 for none.
fn in_window(range: vec4<u32>, corner: vec2<u32>) -> vec4<u32> {
    let low = max(range.xy, corner) - corner;
    let high = min(max(range.zw, corner) - corner, fan());
    return select(vec4<u32>(low, high), vec4<u32>(0u), any(low >= high));
}
