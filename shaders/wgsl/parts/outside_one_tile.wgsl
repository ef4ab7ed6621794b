// One tile holds all elements: nothing is outside.
fn outside_at(tile: u32, depth: u32) -> Outside {
    return outside_nothing();
}
