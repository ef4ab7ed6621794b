// Items are the elements of the input stream themselves.

fn item_count() -> u32 {
    return element_count();
}
