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
