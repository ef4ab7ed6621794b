// What the draws of each gap paint.

alias Painted = Grow;

fn paint_nothing() -> Painted {
    return grow_identity();
}

// All lanes of a chunk together. What is painted up to each since the last node before it: a scan, which begins
// anew after each of these `nodes`, the first lane's the lowest bit; and after what earlier rows have left. The node
// after a gap stores that in its cell, `at`, which else is NONE. Gives what is painted after the last.
fn paint(earlier: Painted, box: vec4<f32>, nodes: u32, lane: u32, lanes: u32, at: u32) -> Painted {
    let before = nodes & ((1u << lane) - 1u);
    // The lane after the last of them; 0 where there is none.
    let begin = firstLeadingBit(before) + 1u;
    var all = box;
    for (var width = 1u; width < lanes; width *= 2u) {
        let other = lane_grow(all, select(lane, lane - width, lane >= width));
        if lane >= begin + width {
            all = grow_combine(other, all);
        }
    }
    if begin == 0u {
        all = grow_combine(earlier, all);
    }
    if at != NONE {
        cells[at] = all;
    }
    let is_node = ((nodes >> lane) & 1u) != 0u;
    return lane_grow(select(all, grow_identity(), is_node), lanes - 1u);
}

fn paint_store(at: u32, painted: Painted) {
    cells[at] = painted;
}

// All threads together: what is painted is known.
fn gaps_end() {
    workgroupBarrier();
}
