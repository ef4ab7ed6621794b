// The role of another element of the tile: as roles_note noted it.
fn role_of(tile: u32, at: u32) -> u32 {
    return role_in(group_noted(at / 32u), at);
}
