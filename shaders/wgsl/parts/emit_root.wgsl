// The product along the path from the root; an end has what its begin has.
fn emit_down(mine: Mine, flows: Flows) {
    outputs[mine.item] = product_store(flows.own);
}
