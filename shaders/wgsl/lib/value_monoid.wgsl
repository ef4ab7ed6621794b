// The values of a tree with the caller's monoid: see lib/value_rect.wgsl.

import package::monoid::{Product, product_combine, product_identity};

alias Value = Product;
alias Content = Value;

const DOWN_IS_IDEMPOTENT = false;

fn down_identity() -> Value {
    return product_identity();
}

fn down_combine(inherited: Value, own: Value) -> Value {
    return product_combine(inherited, own);
}

fn up_identity() -> Value {
    return product_identity();
}

fn up_combine(earlier: Value, later: Value) -> Value {
    return product_combine(earlier, later);
}

fn up_beside(own: Value, others: Value, others_first: bool) -> Value {
    if others_first {
        return product_combine(others, own);
    }
    return product_combine(own, others);
}

fn content_beside(own: Content, others: Content, others_first: bool) -> Content {
    return up_beside(own, others, others_first);
}

fn content_identity() -> Content {
    return up_identity();
}

fn content_of(product: Value, side: u32) -> Content {
    return product;
}

fn carrier_of(content: Content) -> Value {
    return content;
}

fn carried_by(value: Value) -> Content {
    return value;
}

// Returns the first factor of a node, which is the value of its open.
fn up_first(leaf: Value, is_close: bool) -> Content {
    return leaf;
}

fn part_of_leaf(leaf: Value, side: u32, is_close: bool) -> Content {
    return up_first(leaf, is_close);
}
