// Paints pixels with one thread per pixel, which visits elements in paint order with a stack of open nodes.

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> shapes: array<Shape>;
@group(0) @binding(2) var<storage, read> rects: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> sized: Layer;
@group(0) @binding(4) var<storage, read> headers: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read> entries: array<u32>;
@group(0) @binding(6) var blurred: texture_2d<f32>;
@group(0) @binding(7) var canvas: texture_storage_2d<rgba8unorm, write>;
@group(0) @binding(8) var layer: texture_storage_2d<rgba16float, write>;

struct Open {
    below: vec4<f32>,
    factor: f32,
}

var<private> stack: array<Open, 8>;
var<private> depth: u32;
var<private> color: vec4<f32>;

// Paints a bin of 16 x 16 pixels per workgroup, from the bin's list.
@compute @workgroup_size(16, 16)
fn paint_canvas(@builtin(global_invocation_id) id: vec3<u32>, @builtin(workgroup_id) bin: vec3<u32>) {
    let columns = (frame.size.x + 15u) / 16u;
    let header = headers[bin.y * columns + bin.x];
    var after = 0u;
    for (var i = 0u; i < header.y; i++) {
        let element = entries[header.x + i];
        if element < after {
            continue;
        }
        let shape = shapes[element];
        if shape.kind == BLUR {
            color = over(color, layer_at(vec2<i32>(id.xy)));
            after = shape.partner + 1u;
        } else {
            paint(shape, rects[element], vec2<f32>(id.xy) + 0.5);
        }
    }
    if all(id.xy < frame.size) {
        textureStore(canvas, id.xy, color);
    }
}

// Paints the layer's pixels from the elements inside the blur.
@compute @workgroup_size(16, 16)
fn paint_layer(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = vec2<f32>(vec2<i32>(id.xy) + sized.origin) + 0.5;
    for (var element = frame.blur + 1u; element < shapes[frame.blur].partner; element++) {
        paint(shapes[element], rects[element], at);
    }
    textureStore(layer, id.xy, color);
}

fn paint(shape: Shape, rect: vec4<f32>, at: vec2<f32>) {
    if shape.kind == DRAW {
        color = over(color, shape.color * coverage(rect, shape.number, at));
    } else if shape.kind == END {
        if depth > 0u {
            depth -= 1u;
            let open = stack[depth];
            color = over(open.below, color * open.factor);
        }
    } else if depth < 8u {
        var factor = shape.number;
        if shape.kind == CLIP {
            factor = coverage(rect, shape.number, at);
        }
        stack[depth] = Open(color, factor);
        depth += 1u;
        color = vec4<f32>(0.0);
    }
}

// Returns the share of a pixel covered by a rounded rect, by the distance of the pixel's centre from the edge. It is 0 if
// the centre is outside the rect, so that boxes are enough for culling.
fn coverage(rect: vec4<f32>, radius: f32, at: vec2<f32>) -> f32 {
    let half = 0.5 * (rect.zw - rect.xy);
    let r = min(radius, min(half.x, half.y));
    let corner = abs(at - 0.5 * (rect.xy + rect.zw)) - half + r;
    let distance = length(max(corner, vec2<f32>(0.0))) + min(max(corner.x, corner.y), 0.0) - r;
    return clamp(-2.0 * distance, 0.0, 1.0);
}

fn layer_at(at: vec2<i32>) -> vec4<f32> {
    let place = at - sized.origin;
    if any(place < vec2<i32>(0)) || any(place >= vec2<i32>(sized.size)) {
        return vec4<f32>(0.0);
    }
    return textureLoad(blurred, place, 0);
}
