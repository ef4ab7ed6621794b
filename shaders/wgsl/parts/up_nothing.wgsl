// Nothing grows up.

fn up_clear(at: u32) {}

fn up_leaf(j: u32, item: u32, role: u32, around: Flow, flow: Flow) {}

fn up_ends(thread: u32, mine: ptr<function, Mine>) {}

fn up(tile: u32, thread: u32, mine: ptr<function, Mine>) {}
