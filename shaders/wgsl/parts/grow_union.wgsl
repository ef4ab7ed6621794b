// Contents flow up the tree: a node's content is the union of what changes inside it.

alias Grow = vec4<f32>;

const GROW_IDENTITY = NOTHING;

fn grow_combine(earlier: Grow, later: Grow) -> Grow {
    return rect_union(earlier, later);
}
