// Where others look at each tile, there is nothing to do.

fn bundle_sum(thread: u32, first_tile: u32, runs: Runs) {}

// A survivor that has been stored.
fn bundle_note(slot: u32, flow: Flow) {}

fn bundle_hold(thread: u32, first_tile: u32) {}
