// The one in a slot of a tile's slice; `under` flows under the slice, from the root on. What is
// below it in its tile survives too, so that the slot before is of the same slice.
fn outside_in(slot: u32, under: Flow) -> Outside {
    var around = under;
    if WANTS_AROUND && slot % TILE > 0u {
        around = flow_combine(under, flow_load(plan.values + slot - 1u));
    }
    let flow = flow_combine(under, flow_load(plan.values + slot));
    return Outside(words[plan.slices + slot], slot, flow, around);
}
