// Outward to whole numbers, so that no box shrinks: edges below `least` or above `greatest`
// go there, and stand for none; what lies beyond keeps an area of one.
fn outward(box: vec4<f32>, least: f32, below: f32, greatest: f32) -> vec4<f32> {
    let low = clamp(floor(box.xy), vec2<f32>(least), vec2<f32>(below));
    let high = clamp(ceil(box.zw), vec2<f32>(-below), vec2<f32>(greatest));
    return vec4<f32>(low, high);
}
