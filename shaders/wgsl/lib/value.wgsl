// The values of a tree. Some flow down, some grow up:
//
//     down   an element gets the product along its path from the root: clips intersect
//     up     a node gets the product, in order, over the elements inside it: contents unite
//
// Values are rects; with `filters`, rects on both sides of a filter (lib/filtered.wgsl); with `monoid`, products of the
// caller's. Unless it says so, code relies only on a product being associative.

@if(!monoid) import package::lib::rect::{EVERYTHING, NOTHING, rect_intersect, rect_union};
@if(filters) import package::lib::filtered::{DOWN_IDENTITY, Filtered, UP_IDENTITY, join, unite};
@if(monoid) import package::monoid::{Product, product_combine, product_identity};

@if(monoid) alias Value = Product;
@elif(filters) alias Value = Filtered;
@else alias Value = vec4<f32>;

// What a node collects from the elements inside it: their product. With filters, the rect of it that the node needs.
@if(filters) alias Content = vec4<f32>;
@else alias Content = Value;

// Whether combining the same value twice equals combining it once.
@if(monoid || filters) const DOWN_IS_IDEMPOTENT = false;
@else const DOWN_IS_IDEMPOTENT = true;

fn down_identity() -> Value {
    @if(monoid) return product_identity();
    @elif(filters) return DOWN_IDENTITY;
    @else return EVERYTHING;
}

// `inherited` is nearer the root.
fn down_combine(inherited: Value, own: Value) -> Value {
    @if(monoid) return product_combine(inherited, own);
    @elif(filters) return join(inherited, own);
    @else return rect_intersect(inherited, own);
}

fn up_identity() -> Value {
    @if(monoid) return product_identity();
    @elif(filters) return UP_IDENTITY;
    @else return NOTHING;
}

fn up_combine(earlier: Value, later: Value) -> Value {
    @if(monoid) return product_combine(earlier, later);
    @elif(filters) return unite(earlier, later);
    @else return rect_union(earlier, later);
}

// The product of two neighbours, of which `others` may come first. Union is commutative, so a rect ignores the order.
fn up_beside(own: Value, others: Value, others_first: bool) -> Value {
    @if(monoid) {
        if others_first {
            return product_combine(others, own);
        }
        return product_combine(own, others);
    }
    @elif(filters) return unite(own, others);
    @else return rect_union(own, others);
}

// The same for what two markers have collected, and its identity.
fn content_beside(own: Content, others: Content, others_first: bool) -> Content {
    @if(filters) return rect_union(own, others);
    @else return up_beside(own, others, others_first);
}

fn content_identity() -> Content {
    @if(filters) return NOTHING;
    @else return up_identity();
}

// The first factor of what a marker collects. An open of a scene is not inside itself, but with a monoid its own value
// is the node's first factor.
@if(!filters)
fn up_first(leaf: Value, is_close: bool) -> Content {
    @if(monoid) return leaf;
    @else return select(NOTHING, leaf, is_close);
}
