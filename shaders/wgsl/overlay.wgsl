// overlay: paints lines around the boxes of a frame into the host's render pass. It is not a compute kernel: `main` is a
// vertex shader, and `paint` is a fragment shader.
//
//     instance    one element
//     6 vertices  one of its lines: a rectangle of one pixel by the length of the line
//
//     a visible element    lines 0 to 3 around its box, if it draws or clips; lines 4 to 7 if it blends
//     a culled element     lines 0 to 3 around its own rect, lines 4 and 5 across it
//     an End, a filter     nothing: the bounds of a filter are those of its content
//
// Lines are just outside the box. Those of clips and layers are further out, so that the lines of equal boxes are all
// visible. A line that would be outside the target is moved inside. A line that is not drawn has no area.
//
// In bounds: an instance is below the capacity, for which the buffers are sized. wgpu checks every index nevertheless.
//
// Reads 36 bytes per vertex of a draw or a Begin, mostly from caches.

import package::layout::{OverlayView, Params};
import package::constants::{
    MAX, OVERLAY_CLIP, OVERLAY_CULLED, OVERLAY_DRAW, OVERLAY_LAYER, ROLE_BEGIN, ROLE_DRAW, ROLE_MASK, TAG_BLEND, TAG_CLIP, TAG_SPREAD
};

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(4) var<storage, read> tags: array<u32>;
@group(0) @binding(5) var<storage, read> rects: array<vec4<f32>>;
// The box of each element, or its landing.
@group(0) @binding(11) var<storage, read> boxes: array<vec4<f32>>;
@group(0) @binding(53) var<uniform> view: OverlayView;

struct Vertex {
    @builtin(position) position: vec4<f32>,
    // Pixels from the start of the line.
    @location(0) along: f32,
    @location(1) @interpolate(flat) kind: u32,
}

// Pixels between a box and its line.
const CLIP_GAP = 2.0;
const LAYER_GAP = 4.0;
// Length in pixels of a dash with its gap, and of the dash alone.
const CLIP_PERIOD = vec2<f32>(15.0, 9.0);
const LAYER_PERIOD = vec2<f32>(6.0, 3.0);
// The minimum side in pixels of a box with a cross in it.
const CROSS_SIDE = 6.0;
// Maximum magnitude of coordinates, to which they are clamped to prevent overflow. It is larger than any target.
const FAR = 1e6;

// A box in the target: `corner + x * right + y * down` for x and y from 0 to `size`, in pixels.
struct Place {
    corner: vec2<f32>,
    right: vec2<f32>,
    down: vec2<f32>,
    size: vec2<f32>,
    // The space for lines outside the box: left, top, right, bottom.
    room: vec4<f32>,
}

// A line from a to b in the coordinates of a place; `half` is half of its width, as a vector.
struct Line {
    a: vec2<f32>,
    b: vec2<f32>,
    half: vec2<f32>,
}

@vertex
fn main(@builtin(vertex_index) vertex: u32, @builtin(instance_index) element: u32) -> Vertex {
    let number = vertex / 6u;
    if element >= params.elements {
        return nothing();
    }
    let kind = kind_of(element, number) & view.kinds;
    if kind == 0u {
        return nothing();
    }
    var box = boxes[element];
    if kind == OVERLAY_CULLED {
        box = culled_box(rects[element]);
        if is_empty(box) {
            return nothing();
        }
    }
    let place = place_of(box);
    let is_across = kind == OVERLAY_CULLED && number >= 4u;
    if is_across && min(place.size.x, place.size.y) < CROSS_SIDE {
        return nothing();
    }
    var line: Line;
    if is_across {
        line = diagonal(place.size, number == 4u);
    } else {
        line = edge(place, gap_of(kind), number % 4u);
    }
    // One bit per corner of two triangles: whether it is at the end of the line, and whether it is on the other side.
    let corner = vertex % 6u;
    let at_end = ((0x32u >> corner) & 1u) != 0u;
    let side = select(-1.0, 1.0, ((0x2cu >> corner) & 1u) != 0u);
    let at = select(line.a, line.b, at_end) + side * line.half;
    let pixel = place.corner + at.x * place.right + at.y * place.down;
    let along = select(0.0, length(line.b - line.a), at_end);
    let unit = pixel / view.place.zw;
    return Vertex(vec4<f32>(2.0 * unit.x - 1.0, 1.0 - 2.0 * unit.y, 0.0, 1.0), along, kind);
}

@fragment
fn paint(in: Vertex) -> @location(0) vec4<f32> {
    if in.kind == OVERLAY_CLIP && in.along % CLIP_PERIOD.x >= CLIP_PERIOD.y {
        discard;
    }
    if in.kind == OVERLAY_LAYER && in.along % LAYER_PERIOD.x >= LAYER_PERIOD.y {
        discard;
    }
    switch in.kind {
        case OVERLAY_DRAW: { return view.draw; }
        case OVERLAY_CLIP: { return view.clip; }
        case OVERLAY_LAYER: { return view.layer; }
        default: { return view.culled; }
    }
}

fn nothing() -> Vertex {
    return Vertex(vec4<f32>(0.0, 0.0, 0.0, 1.0), 0.0, 0u);
}

// Returns the kind of an element's line; 0 if the element has no such line.
fn kind_of(element: u32, number: u32) -> u32 {
    let tag = tags[element];
    let role = tag & ROLE_MASK;
    let is_draw = role == ROLE_DRAW;
    if !is_draw && (role != ROLE_BEGIN || (tag & TAG_SPREAD) != 0u) {
        return 0u;
    }
    if is_empty(boxes[element]) {
        return select(0u, OVERLAY_CULLED, number < 6u);
    }
    if number >= 4u {
        return select(0u, OVERLAY_LAYER, !is_draw && (tag & TAG_BLEND) != 0u);
    }
    let clip = select(0u, OVERLAY_CLIP, (tag & TAG_CLIP) != 0u);
    return select(clip, OVERLAY_DRAW, is_draw);
}

// Returns whether a box has no area. A box with a NaN is not empty, but its triangles are not rasterized.
fn is_empty(box: vec4<f32>) -> bool {
    return box.x >= box.z || box.y >= box.w;
}

// Returns the box to paint for a culled element: its rect in the viewport. For a layer without an extent, it is empty.
fn culled_box(rect: vec4<f32>) -> vec4<f32> {
    if all(abs(rect) >= vec4<f32>(MAX)) {
        return vec4<f32>(0.0);
    }
    return vec4<f32>(max(rect.xy, params.viewport.xy), min(rect.zw, params.viewport.zw));
}

fn gap_of(kind: u32) -> f32 {
    return select(select(0.0, LAYER_GAP, kind == OVERLAY_LAYER), CLIP_GAP, kind == OVERLAY_CLIP);
}

fn place_of(box: vec4<f32>) -> Place {
    let axes = view.axes;
    let is_turned = any(axes.yz != vec2<f32>(0.0)) && any(axes.xw != vec2<f32>(0.0));
    if is_turned {
        let cut = clamp(box, vec4<f32>(-FAR), vec4<f32>(FAR));
        let stretch = vec2<f32>(length(axes.xy), length(axes.zw));
        let size = (cut.zw - cut.xy) * stretch;
        return Place(target_of(cut.xy), axes.xy / stretch.x, axes.zw / stretch.y, size, vec4<f32>(FAR));
    }
    // The sides of the box stay horizontal and vertical, so lines are aligned to whole pixels.
    let one = target_of(box.xy);
    let other = target_of(box.zw);
    let far = vec2<f32>(FAR);
    let low = clamp(floor(min(one, other) + 0.5), -far, far);
    let high = clamp(floor(max(one, other) + 0.5), -far, far);
    let room = vec4<f32>(low, view.place.zw - high);
    // On a side where the box extends beyond the target, there is FAR room, so the line stays outside and is not visible.
    return Place(low, vec2<f32>(1.0, 0.0), vec2<f32>(0.0, 1.0), high - low, select(vec4<f32>(FAR), room, room >= vec4<f32>(0.0)));
}

fn target_of(point: vec2<f32>) -> vec2<f32> {
    return view.axes.xy * point.x + view.axes.zw * point.y + view.place.xy;
}

// Returns the line along one side of the box. Numbers 0 to 3 are the top, bottom, left and right side.
fn edge(place: Place, gap: f32, number: u32) -> Line {
    let out = min(vec4<f32>(gap + 1.0), place.room);
    let low = -out.xy;
    let high = place.size + out.zw;
    switch number {
        case 0u: { return Line(vec2<f32>(low.x, low.y + 0.5), vec2<f32>(high.x, low.y + 0.5), vec2<f32>(0.0, 0.5)); }
        case 1u: { return Line(vec2<f32>(low.x, high.y - 0.5), vec2<f32>(high.x, high.y - 0.5), vec2<f32>(0.0, 0.5)); }
        case 2u: { return Line(vec2<f32>(low.x + 0.5, low.y), vec2<f32>(low.x + 0.5, high.y), vec2<f32>(0.5, 0.0)); }
        default: { return Line(vec2<f32>(high.x - 0.5, low.y), vec2<f32>(high.x - 0.5, high.y), vec2<f32>(0.5, 0.0)); }
    }
}

// Returns a line across the box, one pixel per row or column.
fn diagonal(size: vec2<f32>, is_falling: bool) -> Line {
    let half = select(vec2<f32>(0.5, 0.0), vec2<f32>(0.0, 0.5), size.x >= size.y);
    if is_falling {
        return Line(vec2<f32>(0.0), size, half);
    }
    return Line(vec2<f32>(0.0, size.y), vec2<f32>(size.x, 0.0), half);
}
