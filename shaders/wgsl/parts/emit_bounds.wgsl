// The bounds of a node, whose stream is the scene's own.
fn emit_bounds(mine: Mine, box: vec4<f32>) {
    bounds[mine.item] = packed(box);
}
