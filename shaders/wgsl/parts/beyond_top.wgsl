// What is around an element is the top of the stack before it. Only non-local opens ask.
const WANTS_AROUND = false;

fn wants_around(mine: Mine) -> bool {
    return (mine.role & ROLE_NON_LOCAL) != 0u;
}

fn beyond_top(role: u32, order: Order, top: Top) -> Top {
    return top;
}

fn beyond_of(role: u32, top: Top, place: Top, outside: Outside) -> Beyond {
    return Beyond(place.at, outside.flow);
}
