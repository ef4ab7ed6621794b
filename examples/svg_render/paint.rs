//! Paths, and what they are painted with.

use crate::group::{self, affine};
use treebounds_encoding::svg::usvg::tiny_skia_path::PathSegment;
use treebounds_encoding::svg::usvg::{
    self, FillRule, LineCap, LineJoin, Opacity, Paint, PaintOrder, Path, Pattern, SpreadMethod,
    Stop,
};
use vello::Scene;
use vello::kurbo::{Affine, BezPath, Cap, Join, Rect, Shape, Stroke};
use vello::peniko::{Brush, Color, ColorStop, Extend, Fill, Gradient, Mix, StyleRef};

/// The most tiles of a pattern.
const MOST_TILES: f64 = 10_000.0;

/// Draws a path: its fill and stroke, in its order.
pub(crate) fn path(scene: &mut Scene, path: &Path, transform: Affine, notes: &mut Vec<String>) {
    if !path.is_visible() {
        return;
    }
    let outline = outline(path);
    let fill = path.fill().map(|fill| (rule(fill), fill.paint(), fill.opacity()));
    let stroke = path.stroke().map(|own| (stroke(own), own.paint(), own.opacity()));
    let fills = fill.as_ref().map(|(rule, paint, opacity)| ((*rule).into(), *paint, *opacity));
    let strokes = stroke.as_ref().map(|(style, paint, opacity)| (style.into(), *paint, *opacity));
    let order = match path.paint_order() {
        PaintOrder::FillAndStroke => [fills, strokes],
        PaintOrder::StrokeAndFill => [strokes, fills],
    };
    for (style, paint, opacity) in order.into_iter().flatten() {
        draw(scene, style, paint, opacity, &outline, transform, notes);
    }
}

fn draw(
    scene: &mut Scene,
    style: StyleRef<'_>,
    paint: &Paint,
    opacity: Opacity,
    outline: &BezPath,
    transform: Affine,
    notes: &mut Vec<String>,
) {
    if let Paint::Pattern(pattern) = paint {
        let wide = match style {
            StyleRef::Fill(_) => 0.0,
            StyleRef::Stroke(stroke) => stroke.width * stroke.miter_limit.max(1.5),
        };
        let area = outline.bounding_box().inflate(wide, wide);
        scene.push_layer(style, Mix::Normal, opacity.get(), transform, outline);
        tiles(scene, pattern, area, transform, notes);
        scene.pop_layer();
        return;
    }
    let (brush, own) = brush(paint, opacity);
    match style {
        StyleRef::Fill(rule) => scene.fill(rule, transform, &brush, Some(own), outline),
        StyleRef::Stroke(stroke) => scene.stroke(stroke, transform, &brush, Some(own), outline),
    }
}

/// Draws a pattern's tiles over an area.
fn tiles(scene: &mut Scene, pattern: &Pattern, area: Rect, outer: Affine, notes: &mut Vec<String>) {
    let own = affine(pattern.transform());
    let area = own.inverse().transform_rect_bbox(area);
    let tile = pattern.rect();
    let [x, y, width, height] = [tile.x(), tile.y(), tile.width(), tile.height()].map(f64::from);
    let columns = ((area.x0 - x) / width).floor()..((area.x1 - x) / width).ceil();
    let rows = ((area.y0 - y) / height).floor()..((area.y1 - y) / height).ceil();
    let count = (columns.end - columns.start) * (rows.end - rows.start);
    if !(0.0..=MOST_TILES).contains(&count) {
        notes.push("a pattern of more than 10,000 tiles is left out".to_owned());
        return;
    }
    let mut content = Scene::new();
    let clip = Rect::new(0.0, 0.0, width, height);
    content.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &clip);
    let origin = Affine::translate((-x, -y));
    notes.extend(group::draw(&mut content, pattern.root(), origin));
    content.pop_layer();
    for row in 0..(rows.end - rows.start) as u32 {
        for column in 0..(columns.end - columns.start) as u32 {
            let at = (
                x + (columns.start + f64::from(column)) * width,
                y + (rows.start + f64::from(row)) * height,
            );
            scene.append(&content, Some(outer * own * Affine::translate(at)));
        }
    }
}

/// The rule of a fill.
pub(crate) fn rule(fill: &usvg::Fill) -> Fill {
    match fill.rule() {
        FillRule::NonZero => Fill::NonZero,
        FillRule::EvenOdd => Fill::EvenOdd,
    }
}

/// The outline of a path, as kurbo has it.
pub(crate) fn outline(path: &Path) -> BezPath {
    let point = |p: usvg::tiny_skia_path::Point| (f64::from(p.x), f64::from(p.y));
    let mut outline = BezPath::new();
    for segment in path.data().segments() {
        match segment {
            PathSegment::MoveTo(p) => outline.move_to(point(p)),
            PathSegment::LineTo(p) => outline.line_to(point(p)),
            PathSegment::QuadTo(a, p) => outline.quad_to(point(a), point(p)),
            PathSegment::CubicTo(a, b, p) => outline.curve_to(point(a), point(b), point(p)),
            PathSegment::Close => outline.close_path(),
        }
    }
    outline
}

fn stroke(stroke: &usvg::Stroke) -> Stroke {
    let cap = match stroke.linecap() {
        LineCap::Butt => Cap::Butt,
        LineCap::Round => Cap::Round,
        LineCap::Square => Cap::Square,
    };
    let join = match stroke.linejoin() {
        LineJoin::Miter | LineJoin::MiterClip => Join::Miter,
        LineJoin::Round => Join::Round,
        LineJoin::Bevel => Join::Bevel,
    };
    let dashes = stroke.dasharray().unwrap_or_default().iter().map(|dash| f64::from(*dash));
    Stroke::new(stroke.width().get().into())
        .with_caps(cap)
        .with_join(join)
        .with_miter_limit(stroke.miterlimit().get().into())
        .with_dashes(stroke.dashoffset().into(), dashes)
}

/// The brush of a paint that is no pattern, and the transform of its own.
fn brush(paint: &Paint, opacity: Opacity) -> (Brush, Affine) {
    let gradient = |gradient: Gradient, spread, all: &[Stop]| {
        let extend = match spread {
            SpreadMethod::Pad => Extend::Pad,
            SpreadMethod::Reflect => Extend::Reflect,
            SpreadMethod::Repeat => Extend::Repeat,
        };
        let stops: Vec<_> = all
            .iter()
            .map(|stop| {
                let color = color(stop.color(), stop.opacity() * opacity);
                ColorStop::from((stop.offset().get(), color))
            })
            .collect();
        Brush::Gradient(gradient.with_extend(extend).with_stops(stops.as_slice()))
    };
    match paint {
        Paint::Color(own) => (Brush::Solid(color(*own, opacity)), Affine::IDENTITY),
        Paint::LinearGradient(own) => {
            let line = Gradient::new_linear((own.x1(), own.y1()), (own.x2(), own.y2()));
            (gradient(line, own.spread_method(), own.stops()), affine(own.transform()))
        }
        Paint::RadialGradient(own) => {
            let (focus, center) = ((own.fx(), own.fy()), (own.cx(), own.cy()));
            let circle =
                Gradient::new_two_point_radial(focus, own.fr().get(), center, own.r().get());
            (gradient(circle, own.spread_method(), own.stops()), affine(own.transform()))
        }
        Paint::Pattern(_) => (Brush::Solid(Color::TRANSPARENT), Affine::IDENTITY),
    }
}

fn color(color: usvg::Color, opacity: Opacity) -> Color {
    Color::from_rgba8(color.red, color.green, color.blue, 255).with_alpha(opacity.get())
}
