// The elements of a tile as a stack: what is on top of it before each, and what it leaves.
//
// Within a chunk by depth: the top of the stack before an element is the last open before it
// that is one less deep. (Were there a dip between the two, the way up again would pass a
// later such open.) Ballots over the bits of the depths find the lanes of a depth. An open that is
// on top before no close of its chunk is left open. Between chunks by what each does.

struct Order {
    lanes: u32,
    lane: u32,
    chunk: u32,
    // Opens less closes of the chunk before the element.
    depth: u32,
    // The lane of its top, or past all lanes.
    top: u32,
    // Of an end: the lane of the top after it, or past all lanes.
    second: u32,
    // The lanes that the chunk leaves open, and those that close what it did not open.
    left: u32,
    taken: u32,
}

// All threads together; the pool is free before, and knows what the chunks do.
fn order_build(thread: u32, lanes: u32, role: u32) -> Order {
    var order: Order;
    order.lanes = lanes;
    order.lane = thread % lanes;
    order.chunk = thread / lanes;
    if lanes > 1u {
        order = order_among(order, (role & ROLE_OPENS) != 0u, (role & ROLE_CLOSES) != 0u);
    } else {
        order.top = NONE;
        order.second = NONE;
        order.left = role & ROLE_OPENS;
        order.taken = (role & ROLE_CLOSES) / ROLE_CLOSES;
    }
    if order.lane == 0u {
        pool_note(order.chunk, lanes, order.left);
    }
    pool_build(thread, lanes, Value(countOneBits(order.taken), countOneBits(order.left)));
    return order;
}

// Among the lanes of a chunk of several.
fn order_among(own: Order, is_open: bool, is_close: bool) -> Order {
    var order = own;
    let opens = lane_ballot_of_many(is_open);
    let closes = lane_ballot_of_many(is_close);
    let earlier = (1u << order.lane) - 1u;
    order.depth = countOneBits(opens & earlier) - countOneBits(closes & earlier);
    // The lanes that are one less deep, bit by bit. Five bits tell all apart: depths of 32 lanes differ by 31 at most, and
    // what is 31 deeper at the other end of the chunk is a close.
    var less = opens & earlier;
    less &= one_less(order.depth, 1u);
    less &= one_less(order.depth, 2u);
    less &= one_less(order.depth, 4u);
    less &= one_less(order.depth, 8u);
    less &= one_less(order.depth, 16u);
    let has_top = less != 0u;
    order.top = firstLeadingBit(less);
    // What was on top before its open.
    let second = lane_word_of_many(order.top, order.top % order.lanes);
    order.second = select(NONE, second, has_top);
    order.left = opens & ~lane_or_of_many(select(0u, 1u << (order.top % 32u), is_close && has_top));
    order.taken = closes & ~lane_ballot_of_many(has_top);
    return order;
}

// The lanes whose depth has this bit if the lane's own depth less one has it, and has it not if that has not.
fn one_less(depth: u32, bit: u32) -> u32 {
    let has = lane_ballot_of_many((depth & bit) != 0u);
    return select(~has, has, ((depth - 1u) & bit) != 0u);
}

// The top of the stack before the element.
struct Top {
    // Its place in the tile; or NONE, and
    at: u32,
    // how far below the top of the stack at the tile's start it is.
    depth: u32,
}

fn order_top(order: Order) -> Top {
    return order_find(order, order.top, order.depth);
}

// The same of a place of this depth in the chunk, with its top's lane or a place past all.
fn order_find(order: Order, lane: u32, depth: u32) -> Top {
    if lane < order.lanes {
        return Top(order.chunk * order.lanes + lane, 0u);
    }
    // No open of the chunk is less deep, so the depth is at most 0.
    let found = pool_find(order.chunk, 0u - depth);
    if found.leaf == NONE {
        return Top(NONE, found.depth);
    }
    if order.lanes == 1u {
        return Top(found.leaf, 0u);
    }
    let other = bit_from_top(pool_left(found.leaf), found.depth);
    return Top(found.leaf * order.lanes + other, 0u);
}
