// Nothing grows up.

fn up_leaf(at: u32, item: u32, role: u32, around: Flow, flow: Flow) {}

fn up_past(at: u32) {}

fn up(tile: u32, thread: u32, mine: ptr<function, Mine>) {}
