// What is around a node is the top of the stack before its begin and after its end.

fn wants_around(mine: Mine) -> bool {
    return true;
}

fn beyond_top(role: u32, order: Order, top: Top) -> Top {
    if (role & ROLE_CLOSES) == 0u {
        return top;
    }
    return order_find(order, order.second, order.depth - 1u);
}

fn beyond_of(tile: u32, place: Top, outside: Outside) -> Beyond {
    if place.at != NONE {
        return Beyond(place.at, flow_root());
    }
    return Beyond(NONE, outside_at(tile, place.depth).flow);
}
