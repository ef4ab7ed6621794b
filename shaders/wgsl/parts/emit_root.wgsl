// The product along the path from the root; an end has what its begin has.
fn emit_down(item: u32, node: u32, role: u32, top: u32, flow: Flow) {
    outputs[item] = product_store(flow);
}
