// The children of a cell.

fn child_place(child: u32) -> vec2<u32> {
    return vec2<u32>(child % bin.fan_x, child / bin.fan_x);
}

// Which children of the parent at `corner` these bins are in: half open and inside
// of the fan; all 0 for none.
fn children(range: vec4<u32>, corner: vec2<u32>) -> vec4<u32> {
    let cell = vec2<u32>(bin.cell_x, bin.cell_y);
    let low = max(range.xy, corner) - corner;
    let high = min(max(range.zw, corner) - corner, fan() * cell);
    if any(low >= high) {
        return vec4<u32>(0u);
    }
    if bin.is_last != 0u {
        // A child is a bin.
        return vec4<u32>(low, high);
    }
    return vec4<u32>(low / cell, (high - 1u) / cell + 1u);
}
