// Products of the caller's monoid grow up the tree, each over a subtree in order.

alias Grow = Product;

fn grow_identity() -> Grow {
    return product_identity();
}

fn grow_combine(earlier: Grow, later: Grow) -> Grow {
    return product_combine(earlier, later);
}

// Where the others may come first.
fn grow_ordered(own: Grow, others: Grow, others_first: bool) -> Grow {
    if others_first {
        return grow_combine(others, own);
    }
    return grow_combine(own, others);
}

// What is after a begin has its own value before it.
fn grow_begin(own: Grow) -> Grow {
    return own;
}
