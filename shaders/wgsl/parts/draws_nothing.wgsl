// Draws are elements of the stream.
fn draws_ask(tile: u32, mine: Mine, lanes: u32) {}

fn draws(tile: u32, mine: Mine, lanes: u32, flows: Flows) {}
