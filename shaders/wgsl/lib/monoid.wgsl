// A monoid, unless the caller brings another: sums of words.

alias Input = u32;
alias Product = u32;
alias Output = u32;

fn product_identity() -> Product {
    return 0u;
}

fn product_load(input: Input) -> Product {
    return input;
}

fn product_combine(first: Product, second: Product) -> Product {
    return first + second;
}

fn product_store(product: Product) -> Output {
    return product;
}
