// The product over a subtree that ends in another tile.

fn part_of(item: u32, node: u32) -> Grow {
    return products[plan.values + item];
}

fn emit_open(begin: u32, node: u32, content: Grow) {
    outputs[begin] = product_store(content);
}

fn emit_span(begin: u32, begin_node: u32, end: u32, end_node: u32, content: Grow) {
    emit_open(begin, begin_node, content);
    outputs[end] = outputs[begin];
}
