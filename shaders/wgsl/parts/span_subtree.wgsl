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

fn emit_open(begin: u32, node: u32, part: Part, content: Grow) {
    outputs[begin] = product_store(content);
}

fn emit_end(survivor: Survivor, part: Part, content: Grow) {
    outputs[survivor.end] = product_store(content);
}
