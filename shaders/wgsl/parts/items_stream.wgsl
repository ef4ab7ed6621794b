// Items are the elements of the input stream themselves.

fn item_count() -> u32 {
    return element_count();
}

fn item_tag(item: u32) -> u32 {
    return tags[item];
}
