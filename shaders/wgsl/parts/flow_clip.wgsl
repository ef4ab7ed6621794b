// Clips flow down the tree: a node's clip is its rect cut by every one around.
//
// The order of the product is kept (what is around stands left), although
// intersection would not mind.

alias Flow = vec4<f32>;

fn flow_identity() -> Flow {
    return EVERYTHING;
}

fn flow_combine(around: Flow, own: Flow) -> Flow {
    return rect_intersect(around, own);
}
