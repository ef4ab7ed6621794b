// What is around an element is the top of the stack before it.
const WANTS_AROUND = false;

fn beyond_top(role: u32, order: Order, top: Top) -> Top {
    return top;
}

fn beyond_of(role: u32, top: Top, place: Top, outside: Outside) -> Beyond {
    return Beyond(place.at, top.depth, outside.flow);
}

// Who asks what flows to it: a non-local open, or where nodes are few any.
const WHO_ASKS = select(ROLE_NON_LOCAL, ROLE_OPENS, OPENS_ASK);

// What flows to who asks: what flows from its parent, which is in its chunk;
// or where its path leaves the chunk at once, all that it met; or what flows from outside. All threads
// together.
fn around_of(mine: Mine, lanes: u32, beyond: Beyond, path: Flow, whole: Flow) -> Flow {
    let source = mine.parent - (mine.at - mine.lane);
    let near = lane_flow(whole, select(mine.lane, source, source < lanes));
    if source < lanes {
        return near;
    }
    if mine.parent == NONE && (mine.role & WHO_ASKS) != 0u {
        return outside_again(mine.item / TILE, beyond);
    }
    return path;
}
