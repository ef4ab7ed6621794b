// The product over a subtree that ends in another tile.

// Of a begin, its product so far.
fn begin_part(begin: u32, node: u32) -> Grow {
    return products[plan.values + begin];
}

// That of an end.
fn end_part(end: u32) -> Grow {
    return products[plan.values + end];
}

fn emit_open(survivor: Survivor, node: u32, content: Grow) {
    outputs[survivor.begin] = product_store(content);
}

fn emit_end(survivor: Survivor, content: Grow) {
    outputs[survivor.end] = product_store(content);
}
