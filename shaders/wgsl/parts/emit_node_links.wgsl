// What a stream of nodes writes where nothing flows: links.
fn emit_down(mine: Mine, flows: Flows) {
    if mine.role != 0u {
        links[mine.item] = link_to(mine.top);
    }
}
