// Nothing is painted in a gap yet. There are at most as many as elements, and one more: at most 33 a
// group of 32.
fn gaps_clear(group: u32) {
    let last = min(plan.node_capacity, element_count());
    for (var gap = group; gap <= last; gap += groups_filled()) {
        gaps4[gap] = vec4<u32>(0u);
    }
}
