// `survive` has noted it.
fn ends_note(tile: u32, mine: Mine, other: u32) {}
