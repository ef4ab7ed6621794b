// How many elements there are; more than the capacity are cut off.
fn element_count() -> u32 {
    return min(params.elements, bin.element_capacity);
}
