// Nothing flows down: there is only the root.
fn down(mine: Mine, lanes: u32, own: Flow, outside: Flow, beyond: Beyond) -> Flows {
    if (mine.role & ROLE_OPENS) != 0u {
        open_store(mine.at, NONE, mine.role);
    }
    let flows = Flows(flow_root(), flow_root());
    if mine.exists {
        emit_down(mine, flows);
    }
    workgroupBarrier();
    up_ends(mine);
    return flows;
}
