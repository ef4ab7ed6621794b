// The values of a tree: some flow down it, some grow up it.
//
//     down   an element gets the product along its path from the root: clips intersect
//     up     a node gets the product, in order, over what is inside it: contents unite
//
// Values are rects, or with `monoid` products of the caller's. Nothing rests on more than that a product is
// associative, unless it says so.

@if(!monoid) import package::lib::rect::{EVERYTHING, NOTHING, rect_intersect, rect_union};
@if(monoid) import package::monoid::{Product, product_combine, product_identity};

@if(monoid) alias Value = Product;
@else alias Value = vec4<f32>;

fn down_identity() -> Value {
    @if(monoid) return product_identity();
    @else return EVERYTHING;
}

fn down_combine(around: Value, own: Value) -> Value {
    @if(monoid) return product_combine(around, own);
    @else return rect_intersect(around, own);
}

fn up_identity() -> Value {
    @if(monoid) return product_identity();
    @else return NOTHING;
}

fn up_combine(earlier: Value, later: Value) -> Value {
    @if(monoid) return product_combine(earlier, later);
    @else return rect_union(earlier, later);
}

// The same where the others may come first.
fn up_beside(own: Value, others: Value, others_first: bool) -> Value {
    @if(monoid) {
        if others_first {
            return product_combine(others, own);
        }
        return product_combine(own, others);
    }
    @else return rect_union(own, others);
}
