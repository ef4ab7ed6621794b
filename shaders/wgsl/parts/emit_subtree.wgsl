// The product over a subtree: a node's own value, then what is inside it.

fn emit_down(item: u32, node: u32, role: u32, top: u32, flow: Flow) {
    if role == 0u {
        outputs[item] = product_store(product_load(inputs[item]));
    }
}

fn grow_own(item: u32, role: u32, around: Flow, flow: Flow) -> Grow {
    if (role & ROLE_CLOSES) != 0u {
        return grow_identity();
    }
    return product_load(inputs[item]);
}

// What is after a begin has its own value before it.
fn grow_begin(own: Grow) -> Grow {
    return own;
}

fn emit_up(tile: u32, item: u32, other: u32, role: u32, node: u32, own: Grow, content: Grow) {
    outputs[item] = product_store(content);
}

// Of a node that goes on in another tile.
fn emit_part(item: u32, node: u32, role: u32, own: Grow, content: Grow) {
    products[plan.values + item] = content;
}

// An end without a begin.
fn emit_nothing(item: u32, node: u32) {
    outputs[item] = product_store(grow_identity());
}
