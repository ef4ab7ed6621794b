// The stream is the scene's own.
fn element_of(item: u32) -> u32 {
    return item;
}
