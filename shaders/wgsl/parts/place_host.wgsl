// What an element is: the host says it again, and wants no node indices.
fn place_of(tile: u32, thread: u32) -> Place {
    return Place(role_read(tile * TILE + thread), 0u);
}
