// The product over a subtree that ends in another tile.

// Of a begin, its product so far.
struct Part {
    content: Grow,
}

fn part_of(begin: u32, node: u32) -> Part {
    return Part(products[plan.values + begin]);
}

// That of an end.
fn end_part(end: u32) -> Grow {
    return products[plan.values + end];
}

fn emit_open(survivor: Survivor, content: Grow) {
    outputs[survivor.begin] = product_store(content);
}

fn emit_span(survivor: Survivor, content: Grow) {
    emit_open(survivor, content);
    outputs[survivor.end] = outputs[survivor.begin];
}
