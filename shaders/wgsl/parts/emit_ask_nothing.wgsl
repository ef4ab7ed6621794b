// Nothing is asked for early.
fn emit_ask(mine: Mine) {}
