// What flows from the root.
fn flow_root() -> Flow {
    return host_viewport();
}
