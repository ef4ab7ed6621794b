// Boxes go as four floats.

alias RectOut = vec4<f32>;

fn packed(box: vec4<f32>) -> RectOut {
    return box;
}

fn unpacked(box: RectOut) -> vec4<f32> {
    return box;
}
