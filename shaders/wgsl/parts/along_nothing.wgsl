// Nothing flows along.
fn flow_along(thread: u32, lanes: u32, own: Flow, any: bool) -> Flow {
    return own;
}
