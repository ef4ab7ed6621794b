// The box of an element, where all are in their places.
fn box_of(element: u32) -> vec4<f32> {
    return bounds[element];
}
