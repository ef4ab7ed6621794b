// What is around a node is the top of the stack before its begin and after its end.
const WANTS_AROUND = true;

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
        return Beyond(NONE, top.depth, outside.around);
    }
    return Beyond(place.at, top.depth, outside.flow);
}

fn around_of(mine: Mine, lanes: u32, beyond: Beyond, path: Flow, whole: Flow) -> Flow {
    if beyond.at == NONE {
        return beyond.flow;
    }
    return path_of(beyond.at);
}
