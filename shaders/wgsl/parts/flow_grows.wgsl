// What goes along tiles, or bundles of them, is what grows up.
alias Flow = Grow;

fn flow_identity() -> Flow {
    return grow_identity();
}

fn flow_combine(earlier: Flow, later: Flow) -> Flow {
    return grow_combine(earlier, later);
}
