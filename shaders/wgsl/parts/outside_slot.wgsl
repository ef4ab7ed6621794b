// The one in a slot of a tile's slice, under which flows `base`.
fn outside_in(slot: u32, base: Flow) -> Outside {
    let under = flow_combine(flow_root(), base);
    var around = under;
    if WANTS_AROUND && slot % TILE > 0u {
        around = flow_combine(under, flow_load(plan.values + slot - 1u));
    }
    let flow = flow_combine(under, flow_load(plan.values + slot));
    return Outside(words[plan.slices + slot], flow, around);
}
