// Products of the caller's monoid flow down the tree, each along the path from the root.

alias Flow = Product;

fn flow_identity() -> Flow {
    return product_identity();
}

fn flow_combine(around: Flow, own: Flow) -> Flow {
    return product_combine(around, own);
}

fn flow_root() -> Flow {
    return product_identity();
}

fn flow_load(at: u32) -> Flow {
    return products[at];
}

fn flow_store(at: u32, value: Flow) {
    products[at] = value;
}
