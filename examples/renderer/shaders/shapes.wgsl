// Declarations shared by the kernels of this example.

const DRAW = 0u;
const CLIP = 1u;
const GROUP = 2u;
const BLUR = 3u;
const END = 4u;

struct Shape {
    rest: vec4<f32>,
    color: vec4<f32>,
    orbit: vec4<f32>,
    own: vec4<f32>,
    kind: u32,
    partner: u32,
    number: f32,
    padding: u32,
}

struct Frame {
    size: vec2<u32>,
    elements: u32,
    // The element that opens the blur, and its index among the markers.
    blur: u32,
    blur_marker: u32,
    // Whether boxes are used: 0 or 1.
    culls: u32,
    seconds: f32,
    deviation: f32,
}

// The pixels of the blurred layer, and the arguments of an indirect dispatch over them.
struct Layer {
    origin: vec2<i32>,
    size: vec2<u32>,
    groups: vec3<u32>,
}

const RADIUS = 15;
const EVERYWHERE = 3.40282347e38;

fn over(below: vec4<f32>, above: vec4<f32>) -> vec4<f32> {
    return above + below * (1.0 - above.a);
}
