// What the element adds to what flows to it.
fn flow_own(item: u32) -> Flow {
    return product_load(inputs[item]);
}
