// Counts the filters around each element: the monoid of a pass down the tree (lib/monoid.wgsl), whose inputs are tags.
//
// The product of a path is one word:
//
//     bit 0       the path has a node, so the product is not the identity
//     bit 1       the last node is a spread node
//     bits 2 ..   the number of spread nodes
//
// A draw has no factor, so its word is the word of the node around it. The word of an End is that of its Begin, or 0 if it
// is unmatched. So a marker's word gives the kind of its node, independent of the tag of an End.
//
// The product takes bits 0 and 1 from the last factor, and adds the numbers of spread nodes. Both operations are
// associative.

import package::constants::{ROLE_BEGIN, ROLE_MASK, TAG_SPREAD};

alias Input = u32;
alias Product = u32;
alias Output = u32;

const HAS_NODE = 1u;
const IS_SPREAD = 2u;
const LEVEL = 4u;

fn product_identity() -> Product {
    return 0u;
}

fn product_load(tag: Input) -> Product {
    let is_begin = (tag & ROLE_MASK) == ROLE_BEGIN;
    let is_spread = (tag & TAG_SPREAD) != 0u;
    return select(0u, select(HAS_NODE, HAS_NODE | IS_SPREAD | LEVEL, is_spread), is_begin);
}

fn product_combine(first: Product, second: Product) -> Product {
    return select((first & ~(HAS_NODE | IS_SPREAD)) + second, first, second == 0u);
}

fn product_store(product: Product) -> Output {
    return product;
}
