// The product over a subtree: a node's own value, then what is inside it.

fn emit_down(mine: Mine, flows: Flows) {
    if mine.role == 0u {
        outputs[mine.item] = product_store(product_load(inputs[mine.item]));
    }
}

fn grow_own(mine: Mine, flows: Flows) -> Grow {
    if (mine.role & ROLE_CLOSES) != 0u {
        return grow_identity();
    }
    return product_load(inputs[mine.item]);
}

// Of a node, or as much of it as is in the tile; of an end without a begin, the identity.
fn emit_up(mine: Mine, other: u32, content: Grow, is_whole: bool) {
    if is_whole {
        outputs[mine.item] = product_store(content);
    } else {
        products[plan.values + mine.item] = content;
    }
}
