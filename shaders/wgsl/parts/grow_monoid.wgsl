// Products of the caller's monoid grow up the tree, each over a subtree in order.

alias Grow = Product;

fn grow_identity() -> Grow {
    return product_identity();
}

fn grow_combine(earlier: Grow, later: Grow) -> Grow {
    return product_combine(earlier, later);
}
