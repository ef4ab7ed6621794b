// Nothing flows down: there is only the root.
fn down(mine: Mine, own: Flow, outside: Flow) -> Flows {
    up_clear(mine.at);
    if mine.exists {
        emit_down(mine, flow_root());
    }
    workgroupBarrier();
    up_ends(mine);
    return Flows(flow_root(), flow_root());
}
