// The values of a tree. Some flow down, some grow up:
//
//     down   an element gets the product along its path from the root: clips intersect
//     up     a node gets the product, in order, over the elements inside it: contents unite
//
// There are three kinds of value, each in a file with the declarations of this one. `package::value` is the file of the
// kernel's kind.
//
// | file           | a value is                    |
// |----------------|-------------------------------|
// | value_rect     | a rect                        |
// | value_filtered | a rect on each side of a filter |
// | value_monoid   | a product of the caller's     |
//
// Unless it says so, code relies only on a product being associative.

import package::lib::rect::{EVERYTHING, NOTHING, rect_canonical, rect_intersect, rect_union};

alias Value = vec4<f32>;

// What a node collects from the elements inside it: what the node needs of their product.
alias Content = Value;

// Whether combining the same value twice equals combining it once.
const DOWN_IS_IDEMPOTENT = true;

fn down_identity() -> Value {
    return EVERYTHING;
}

// `inherited` is nearer the root.
fn down_combine(inherited: Value, own: Value) -> Value {
    return rect_intersect(inherited, own);
}

// The visible box of a draw that inherits `place`.
fn visible(place: Value, rect: vec4<f32>) -> vec4<f32> {
    return rect_canonical(rect_intersect(place, rect));
}

fn up_identity() -> Value {
    return NOTHING;
}

fn up_combine(earlier: Value, later: Value) -> Value {
    return rect_union(earlier, later);
}

// The product of two neighbours, of which `others` may come first. Union is commutative, so a rect ignores the order.
fn up_beside(own: Value, others: Value, others_first: bool) -> Value {
    return rect_union(own, others);
}

// The same for what two markers have collected, and its identity.
fn content_beside(own: Content, others: Content, others_first: bool) -> Content {
    return up_beside(own, others, others_first);
}

fn content_identity() -> Content {
    return up_identity();
}

// What a node needs of a product of elements inside it. `side` is the node's side of a filter.
fn content_of(product: Value, side: u32) -> Content {
    return product;
}

// A content as a value, which lanes can hand to each other; and back.
fn carrier_of(content: Content) -> Value {
    return content;
}

fn carried_by(value: Value) -> Content {
    return value;
}

// The first factor of what a marker collects. An open of a scene is not inside itself.
fn up_first(leaf: Value, is_close: bool) -> Content {
    return select(NOTHING, leaf, is_close);
}

// The part that a marker has collected, if it is a chunk of its own, by its leaf. `side` is its node's side of a filter.
fn part_of_leaf(leaf: Value, side: u32, is_close: bool) -> Content {
    return up_first(leaf, is_close);
}
