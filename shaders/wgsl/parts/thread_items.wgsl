// A thread's items, loaded and reduced one by one.

fn load_items(first: u32) -> Items {
    var items = Items(0u, 0u, 0u);
    let end = min(first + PER_THREAD, item_count());
    for (var item = first; item < end; item++) {
        let tag = tags[item];
        let bit = 1u << (item - first);
        items.opens |= select(0u, bit, opens(tag));
        items.closes |= select(0u, bit, closes(tag));
        items.non_local |= select(0u, bit, opens(tag) && (tag & NON_LOCAL) != 0u);
    }
    return items;
}

// The bits are a stack as they stand: the highest set bit is its top.
fn reduce_items(items: Items) -> Reduced {
    var stack = 0u;
    var underflows = 0u;
    for (var j = 0u; j < PER_THREAD; j++) {
        let bit = 1u << j;
        if (items.opens & bit) != 0u {
            stack |= bit;
        } else if (items.closes & bit) != 0u {
            if stack == 0u {
                underflows++;
            } else {
                stack &= ~top_bit(stack);
            }
        }
    }
    return Reduced(vec2<u32>(underflows, countOneBits(stack)), stack);
}
