// The values of a tree. Some flow down, others grow up:
//
//     down   an element receives the product along its path from the root: clips intersect
//     up     a node receives the product, in order, over the elements inside it: contents unite
//
// There are three kinds of value, each in a file with the same declarations as this one. `package::value` is the file of the
// kernel's kind.
//
// | file           | a value is                    |
// |----------------|-------------------------------|
// | value_rect     | a rect                        |
// | value_filtered | a rect on each side of a filter |
// | value_monoid   | a product of the caller's monoid |
//
// Unless documented otherwise, code relies only on products being associative.

import package::lib::rect::{EVERYTHING, NOTHING, rect_canonical, rect_intersect, rect_union};

alias Value = vec4<f32>;

// The part of the product over a node's elements that the node needs.
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

// Returns the visible box of a draw that inherits `place`.
fn visible(place: Value, rect: vec4<f32>) -> vec4<f32> {
    return rect_canonical(rect_intersect(place, rect));
}

fn up_identity() -> Value {
    return NOTHING;
}

fn up_combine(earlier: Value, later: Value) -> Value {
    return rect_union(earlier, later);
}

// Returns the product of two neighbours; `others_first` gives their order. Union is commutative, so rects ignore the order.
fn up_beside(own: Value, others: Value, others_first: bool) -> Value {
    return rect_union(own, others);
}

// Returns the product of the contents that two markers have collected.
fn content_beside(own: Content, others: Content, others_first: bool) -> Content {
    return up_beside(own, others, others_first);
}

fn content_identity() -> Content {
    return up_identity();
}

// Returns the content of a node from the product of elements inside it. `side` is the node's side of a filter.
fn content_of(product: Value, side: u32) -> Content {
    return product;
}

// Converts a content to a value, which lanes can exchange. carried_by() converts it back.
fn carrier_of(content: Content) -> Value {
    return content;
}

fn carried_by(value: Value) -> Content {
    return value;
}

// Returns the first factor that a marker collects. An open of a scene is not inside its own node.
fn up_first(leaf: Value, is_close: bool) -> Content {
    return select(NOTHING, leaf, is_close);
}

// Returns the part that a marker collects in a chunk of one lane, which depends only on its leaf. `side` is its node's side
// of a filter.
fn part_of_leaf(leaf: Value, side: u32, is_close: bool) -> Content {
    return up_first(leaf, is_close);
}
