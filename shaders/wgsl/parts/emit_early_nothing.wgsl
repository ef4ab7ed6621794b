// Nothing of what grows is known before it has.
fn emit_early(tile: u32, mine: Mine, other: u32, own: Grow) {}
