// Nobody asks what is painted in a gap.
fn gaps_clear(group: u32) {}
