// The same where nothing flows: links.
fn emit_down(mine: Mine, flows: Flows) {
    if mine.role != 0u {
        links[mine.node] = asked_link;
    }
}
