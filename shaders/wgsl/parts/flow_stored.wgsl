// What flows, in the scratch buffer of products.

fn flow_load(at: u32) -> Flow {
    return products[at];
}

fn flow_store(at: u32, value: Flow) {
    products[at] = value;
}
