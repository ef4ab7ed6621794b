// Finds the two innermost filters around each element: the monoid of a pass down the tree (lib/monoid.wgsl). landing_mark
// writes the inputs.
//
//     x   the innermost spread node on the path, including the element's own node; NONE if there is none
//     y   the next spread node outward
//
// The product of two paths contains the last two filters of both. It is associative, because concatenation is.

import package::constants::NONE;

alias Input = u32;
alias Product = vec2<u32>;
alias Output = vec2<u32>;

fn product_identity() -> Product {
    return vec2<u32>(NONE, NONE);
}

fn product_load(mark: Input) -> Product {
    return vec2<u32>(mark, NONE);
}

fn product_combine(first: Product, second: Product) -> Product {
    let one = select(first, vec2<u32>(second.x, first.x), second.x != NONE);
    return select(one, second, second.y != NONE);
}

fn product_store(product: Product) -> Output {
    return product;
}
