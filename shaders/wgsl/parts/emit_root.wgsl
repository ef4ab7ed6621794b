// The product along the path from the root; an end has what its begin has.
fn emit_down(item: u32, node: u32, role: u32, top: u32, around: Flow, flow: Flow) {
    var product = flow;
    if role == 0u {
        product = flow_combine(around, flow);
    } else if (role & ROLE_CLOSES) != 0u {
        product = around;
        if top == NONE {
            product = flow_identity();
        }
    }
    outputs[item] = product_store(product);
}
