// Nothing grows up.

fn up_ends(mine: Mine) {}

fn up(tile: u32, mine: Mine, lanes: u32, flows: Flows) {}
