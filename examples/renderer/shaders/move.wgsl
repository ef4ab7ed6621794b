// Moves the shapes and writes their rects, for the stage and for the renderer without boxes.

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> shapes: array<Shape>;
// The input of the stage.
@group(0) @binding(2) var<storage, read_write> rects: array<vec4<f32>>;
// Each shape's own rect. The content of a node may be anywhere.
@group(0) @binding(3) var<storage, read_write> own_boxes: array<vec4<f32>>;

@compute @workgroup_size(256)
fn move_shapes(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if i >= min(frame.elements, arrayLength(&shapes)) {
        return;
    }
    let shape = shapes[i];
    var rect = shape.rest;
    let opens = select(shape.kind, shapes[shape.partner].kind, shape.kind == END);
    if opens == DRAW || opens == CLIP {
        let moved = shape.orbit.xy * swing(shape.orbit) + shape.own.xy * swing(shape.own);
        // Multiples of a sixteenth, and no -0, so that the bits are the same on every device.
        let place = floor((shape.rest + moved.xyxy) * 16.0) / 16.0;
        rect = select(vec4<f32>(0.0), place, place != vec4<f32>(0.0));
    }
    rects[i] = rect;
    let everywhere = vec4<f32>(-EVERYWHERE, -EVERYWHERE, EVERYWHERE, EVERYWHERE);
    own_boxes[i] = select(everywhere, rect, opens == DRAW);
}

fn swing(movement: vec4<f32>) -> vec2<f32> {
    let angle = frame.seconds * movement.z + movement.w;
    return vec2<f32>(cos(angle), sin(angle));
}
