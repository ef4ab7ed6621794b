// The product along the path from the root; an end has what its begin has.
fn emit_down(mine: Mine, flow: Flow) {
    outputs[mine.item] = product_store(flow);
}
