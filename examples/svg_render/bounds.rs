//! The bounds of everything, as strokes.

use treebounds_core::{Bounds, NodeKind, Role};
use treebounds_report::Scene;
use vello::kurbo::{Affine, Rect, Stroke};
use vello::peniko::Color;

/// Draws a box around each draw (blue), clip (orange, dashed) and layer (purple, dotted).
pub(crate) fn draw(target: &mut vello::Scene, scene: &Scene, bounds: &Bounds, transform: Affine) {
    let solid = Stroke::new(1.0);
    let dashed = Stroke::new(1.5).with_dashes(0.0, [6.0, 3.0]);
    let dotted = Stroke::new(1.5).with_dashes(0.0, [1.5, 3.0]);
    for (tag, rect) in scene.stream.tags().iter().zip(&bounds.boxes) {
        if tag.role() == Role::End || rect.is_empty() {
            continue;
        }
        let (stroke, color) = match tag.node_kind() {
            None => (&solid, Color::from_rgba8(40, 100, 230, 255)),
            Some(NodeKind::Clip) => (&dashed, Color::from_rgba8(225, 120, 0, 255)),
            Some(_) => (&dotted, Color::from_rgba8(140, 40, 180, 255)),
        };
        let [x0, y0, x1, y1] = rect.to_array().map(f64::from);
        let shape = transform.transform_rect_bbox(Rect::new(x0, y0, x1, y1));
        target.stroke(stroke, Affine::IDENTITY, color, None, &shape);
    }
}
