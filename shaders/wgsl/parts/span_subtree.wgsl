// The product over a subtree that ends in another tile.

// Of a begin, its product so far.
fn begin_part(survivor: Survivor) -> Grow {
    return products[plan.values + survivor.begin];
}

// That of an end.
fn end_part(survivor: Survivor) -> Grow {
    return products[plan.values + survivor.end];
}

fn emit_open(survivor: Survivor, content: Grow) {
    outputs[survivor.begin] = product_store(content);
}

fn emit_end(survivor: Survivor, content: Grow) {
    outputs[survivor.end] = product_store(content);
}
