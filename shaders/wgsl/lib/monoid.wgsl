// The default monoid: sums of words. A caller of RootFix or LeafFix writes a module with these declarations, which
// replaces this file when kernels are linked. This file shows the declarations that a monoid needs, and allows kernels to be
// linked and validated without a caller.

// The caller's value of an element, a product, and a result.
alias Input = u32;
alias Product = u32;
alias Output = u32;

fn product_identity() -> Product {
    return 0u;
}

fn product_load(input: Input) -> Product {
    return input;
}

// Returns the product of two values. It must be associative. `first` is nearer the root, or earlier in the stream.
fn product_combine(first: Product, second: Product) -> Product {
    return first + second;
}

fn product_store(product: Product) -> Output {
    return product;
}
