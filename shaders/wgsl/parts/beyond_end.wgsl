// What is around a node is the top of the stack before its begin and after its end.
const WANTS_AROUND = true;

fn wants_around(mine: Mine) -> bool {
    return true;
}

// Where the top is in another tile, what is around it comes with it.
fn beyond_top(role: u32, order: Order, top: Top) -> Top {
    if (role & ROLE_CLOSES) == 0u || top.at == NONE {
        return top;
    }
    return order_find(order, order.second, order.depth - 1u);
}

fn beyond_of(role: u32, top: Top, place: Top, outside: Outside) -> Beyond {
    let is_behind = (role & ROLE_CLOSES) != 0u && top.at == NONE;
    if is_behind {
        return Beyond(NONE, outside.around);
    }
    return Beyond(place.at, outside.flow);
}
