// The blurred layer: its size, and the blur.

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read_write> contents: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> layer: Layer;

// Runs in one thread. The layer contains the pixels visible in the blur's box, and RADIUS pixels around them on which
// they depend. Without boxes it is as large as the canvas.
@compute @workgroup_size(1)
fn size_layer() {
    var box = vec4<f32>(vec2<f32>(0.0), vec2<f32>(frame.size));
    if frame.culls != 0u && frame.blur_marker < arrayLength(&contents) {
        box = contents[frame.blur_marker];
    }
    var low = vec2<i32>(0);
    var high = vec2<i32>(0);
    if box.x < box.z {
        low = vec2<i32>(floor(box.xy)) - RADIUS;
        high = vec2<i32>(ceil(box.zw)) + RADIUS;
    }
    layer.origin = low;
    layer.size = vec2<u32>(high - low);
    layer.groups = vec3<u32>((layer.size + 15u) / 16u, 1u);
}

@group(0) @binding(3) var<storage, read> sized: Layer;
@group(0) @binding(4) var source: texture_2d<f32>;
@group(0) @binding(5) var target_x: texture_storage_2d<rgba16float, write>;

@compute @workgroup_size(16, 16)
fn blur_x(@builtin(global_invocation_id) id: vec3<u32>) {
    textureStore(target_x, id.xy, blurred(id.xy, vec2<i32>(1, 0)));
}

@compute @workgroup_size(16, 16)
fn blur_y(@builtin(global_invocation_id) id: vec3<u32>) {
    textureStore(target_x, id.xy, blurred(id.xy, vec2<i32>(0, 1)));
}

fn blurred(at: vec2<u32>, step: vec2<i32>) -> vec4<f32> {
    var sum = vec4<f32>(0.0);
    var weights = 0.0;
    for (var i = -RADIUS; i <= RADIUS; i++) {
        let x = f32(i) / frame.deviation;
        let weight = exp(-0.5 * x * x);
        let place = vec2<i32>(at) + i * step;
        if all(place >= vec2<i32>(0)) && all(place < vec2<i32>(sized.size)) {
            sum += weight * textureLoad(source, place, 0);
        }
        weights += weight;
    }
    return sum / weights;
}
