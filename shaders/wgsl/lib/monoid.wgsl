// The monoid that stands in where a caller gives none: sums of words. A caller of RootFix or LeafFix writes a module with
// these declarations; its own replaces this file when kernels are linked. This file shows which declarations a monoid needs,
// and lets `link` and the validation by naga work without a caller.

// A value of the caller's for each element, what products are made of, and an answer.
alias Input = u32;
alias Product = u32;
alias Output = u32;

fn product_identity() -> Product {
    return 0u;
}

fn product_load(input: Input) -> Product {
    return input;
}

// Associative; `first` is nearer the root, or earlier in the stream.
fn product_combine(first: Product, second: Product) -> Product {
    return first + second;
}

fn product_store(product: Product) -> Output {
    return product;
}
