// No value flows down the tree: matching alone.

alias Flow = u32;

const FLOW_CARRIED = false;
const FLOW_IDENTITY = 0u;

fn flow_combine(around: Flow, own: Flow) -> Flow {
    return 0u;
}

fn flow_own(item: u32) -> Flow {
    return 0u;
}

fn flow_root() -> Flow {
    return 0u;
}

fn flow_product(first: u32, mask: u32) -> Flow {
    return 0u;
}

fn flow_slice_load(slot: u32) -> Flow {
    return 0u;
}

fn flow_slice_store(slot: u32, value: Flow) {
}

fn flow_tile_load(tile: u32) -> Flow {
    return 0u;
}

fn flow_settle(thread: u32, parent: u32, value: Flow) {
}

fn flow_settled(thread: u32) -> Flow {
    return 0u;
}
