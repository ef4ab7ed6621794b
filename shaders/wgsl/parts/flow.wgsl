// The product over the opens `first + j` for the set bits j, lowest first.
fn flow_product(first: u32, mask: u32) -> Flow {
    var product = FLOW_IDENTITY;
    for (var rest = mask; rest != 0u; rest &= rest - 1u) {
        product = flow_combine(product, flow_own(first + firstTrailingBit(rest)));
    }
    return product;
}
