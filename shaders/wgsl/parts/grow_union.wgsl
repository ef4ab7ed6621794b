// Contents grow up the tree: a node's content is the union of what changes inside it.

alias Grow = vec4<f32>;

fn grow_identity() -> Grow {
    return NOTHING;
}

fn grow_combine(earlier: Grow, later: Grow) -> Grow {
    return rect_union(earlier, later);
}

// Where the others may come first: a union does not mind.
fn grow_ordered(own: Grow, others: Grow, others_first: bool) -> Grow {
    return rect_union(own, others);
}

// A begin is not inside itself.
fn grow_begin(own: Grow) -> Grow {
    return NOTHING;
}
