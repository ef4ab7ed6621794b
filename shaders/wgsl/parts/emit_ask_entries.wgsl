// The element of the top, which is on its way while values flow.
var<private> asked_link: u32;

fn emit_ask(mine: Mine) {
    if mine.role != 0u {
        asked_link = link_to(mine.top);
    }
}
