// Clips flow down the tree: a node's clip is its rect cut by every one around.
//
// The order of the product is kept (what is around stands left), although
// intersection would not mind.

alias Flow = vec4<f32>;

const FLOW_IDENTITY = EVERYTHING;

fn flow_combine(around: Flow, own: Flow) -> Flow {
    return rect_intersect(around, own);
}

fn flow_own(item: u32) -> Flow {
    return rects[node_elements[item]];
}

fn flow_root() -> Flow {
    return params.viewport;
}

// The product over the items `first + j` for the set bits j, lowest first.
fn flow_product(first: u32, mask: u32) -> Flow {
    var product = FLOW_IDENTITY;
    for (var rest = mask; rest != 0u; rest &= rest - 1u) {
        product = flow_combine(product, flow_own(first + firstTrailingBit(rest)));
    }
    return product;
}

fn flow_slice_load(slot: u32) -> Flow {
    return boxes[plan.slice_boxes + slot];
}

fn flow_slice_store(slot: u32, value: Flow) {
    boxes[plan.slice_boxes + slot] = value;
}

fn flow_tile_load(tile: u32) -> Flow {
    return boxes[plan.tile_boxes + tile];
}
