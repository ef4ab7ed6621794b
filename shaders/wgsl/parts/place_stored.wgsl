// What an element is: as survive noted it, with its index among the tile's nodes, where somebody counts them.
fn place_of(tile: u32, thread: u32) -> Place {
    let group = group_load(tile, thread);
    return Place(role_in(group, thread), rank_in(group, thread));
}
