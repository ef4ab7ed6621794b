// What a stream of nodes writes of what flows: links and clips; and for the draws after each node, what
// is around them.

// The element of the top, which is on its way while values flow.
var<private> asked_link: u32;

fn emit_ask(mine: Mine) {
    if mine.role != 0u {
        asked_link = link_to(mine.top);
    }
}

fn emit_down(mine: Mine, flows: Flows) {
    if mine.role == 0u {
        return;
    }
    links[mine.item] = asked_link;
    clips[mine.item] = packed(clip_of(mine, flows.own));
    let after = select(flows.own, flows.around, (mine.role & ROLE_CLOSES) != 0u);
    products[plan.afters + mine.item] = after;
}
