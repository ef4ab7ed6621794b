// What flows has been written.
fn emit_down(mine: Mine, flows: Flows) {}
