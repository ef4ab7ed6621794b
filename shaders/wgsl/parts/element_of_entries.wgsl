// The stream is entries: of each the element.
fn element_of(item: u32) -> u32 {
    return entry_element(entry_load(item));
}

// The link to this top of the stack, or to none.
fn link_to(top: u32) -> u32 {
    if top == NONE {
        return NONE;
    }
    return element_of(top);
}
