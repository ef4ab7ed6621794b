// Of one tile nobody wants a tree over the tiles.
fn unions_store(node: u32, value: Grow) {}
