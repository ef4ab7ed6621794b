// Integers as edges: `least` and `greatest` are no edge at all.
fn edges_of(edges: vec4<i32>, least: i32, greatest: i32) -> vec4<f32> {
    let none_low = edges == vec4<i32>(least);
    let none_high = edges == vec4<i32>(greatest);
    return select(select(vec4<f32>(edges), vec4<f32>(MAX), none_high), vec4<f32>(-MAX), none_low);
}
