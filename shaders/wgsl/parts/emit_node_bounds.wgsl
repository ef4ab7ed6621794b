// The bounds of a node, at its element's place.
fn emit_bounds(mine: Mine, box: vec4<f32>) {
    bounds[own_element] = packed(box);
}
