// What flows from the root.
fn flow_root() -> Flow {
    return params.viewport;
}
