// What the host writes, it says; and what it wants to know of the top, before.
var<private> host_known: HostTop;

fn emit_ask(mine: Mine) {
    if mine.exists {
        host_known = host_top(mine.item, mine.role, mine.top);
    }
}

fn emit_down(mine: Mine, flows: Flows) {
    let is_lost = (mine.role & ROLE_CLOSES) != 0u && mine.top == NONE;
    let clip = select(rect_canonical(flows.own), NOTHING, is_lost);
    host_emit(mine.item, mine.role, mine.top, clip, rect_canonical(flows.around), host_known);
}
