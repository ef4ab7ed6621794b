// What a stream of nodes writes where nothing flows: links.
fn emit_down(mine: Mine, flows: Flows) {
    if mine.role == 0u {
        return;
    }
    var link = NONE;
    if mine.top != NONE {
        link = element_of(mine.top);
    }
    links[mine.item] = link;
}
