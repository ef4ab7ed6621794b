//! Tests whether the shape of a command contains a point.

use anyrender::Paint;
use anyrender::recording::{BoxShadowCommand, GlyphRunCommand, RenderCommand as Command};
use kurbo::{Affine, BezPath, PathEl, Point, Rect, RoundedRect, Shape, Stroke, StrokeOpts, Vec2};
use peniko::{Fill, Style};
use skrifa::instance::{LocationRef, NormalizedCoord, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::raw::TableProvider;
use skrifa::{FontRef, GlyphId, MetadataProvider, Tag};

/// The maximum distance of a stroke's flattened outline from the true one, in pixels.
const TOLERANCE: f64 = 0.1;

/// Whether the command paints at the point (`Some`), and whether its shape proves that (`true`).
pub(super) fn paints(command: &Command, point: Point) -> Option<bool> {
    let contains = match command {
        _ if !is_visible(command) => false,
        Command::Fill(fill) => fill_contains(&fill.shape, fill.fill, fill.transform, point),
        Command::Stroke(stroke) => {
            stroke_contains(&stroke.shape, &stroke.style, stroke.transform, point)
        }
        Command::GlyphRun(run) => return glyphs_contain(run, point),
        Command::BoxShadow(shadow) => return shadow_contains(shadow, point),
        // The layers around the command and its own clip are known to contain the point.
        Command::PushLayer(_) => true,
        Command::PushClipLayer(_) | Command::PopLayer => false,
    };
    contains.then_some(true)
}

pub(super) fn is_visible(command: &Command) -> bool {
    match command {
        Command::Fill(fill) => is_visible_brush(&fill.brush),
        Command::Stroke(stroke) => is_visible_brush(&stroke.brush),
        Command::BoxShadow(shadow) => shadow.brush.components[3] > 0.0,
        Command::PushLayer(layer) => layer.alpha > 0.0,
        // Bitmap glyphs ignore the brush.
        Command::GlyphRun(_) | Command::PushClipLayer(_) | Command::PopLayer => true,
    }
}

fn is_visible_brush(brush: &Paint) -> bool {
    match brush {
        Paint::Solid(color) => color.components[3] > 0.0,
        Paint::Image(brush) => {
            brush.sampler.alpha > 0.0 && brush.image.width > 0 && brush.image.height > 0
        }
        Paint::Gradient(_) | Paint::Resource(_) | Paint::Custom(_) => true,
    }
}

/// Whether the clip of a layer contains the point.
pub(super) fn clip_contains(push: &Command, point: Point) -> bool {
    match push {
        Command::PushLayer(layer) => fill_contains(&layer.clip, layer.fill, layer.transform, point),
        Command::PushClipLayer(clip) => fill_contains(&clip.clip, clip.fill, clip.transform, point),
        _ => true,
    }
}

fn fill_contains(path: &BezPath, rule: Fill, transform: Affine, point: Point) -> bool {
    let winding = winding(path, transform, point);
    match rule {
        Fill::NonZero => winding != 0,
        Fill::EvenOdd => winding % 2 != 0,
    }
}

/// The winding number of the transformed path around the point. Open subpaths are closed, as in a fill.
fn winding(path: &BezPath, transform: Affine, point: Point) -> i32 {
    // A flat shape has no interior, but rounding could find one between two curves on the same line.
    let [a, b, c, d, ..] = transform.as_coeffs();
    if transform.determinant().abs() <= 1e-12 * (a * a + b * b + c * c + d * d) {
        return 0;
    }
    let closed = path.elements().iter().flat_map(|element| {
        let starts = matches!(element, PathEl::MoveTo(_));
        [starts.then_some(PathEl::ClosePath), Some(transform * *element)]
    });
    let closed = closed.flatten().chain([PathEl::ClosePath]);
    // A path cannot begin with a close.
    let closed: Vec<_> = closed.skip_while(|element| *element == PathEl::ClosePath).collect();
    closed.as_slice().winding(point)
}

fn stroke_contains(path: &BezPath, style: &Stroke, transform: Affine, point: Point) -> bool {
    let [a, b, c, d, ..] = transform.as_coeffs();
    let scale = a.hypot(b).max(c.hypot(d));
    if scale == 0.0 {
        return false;
    }
    let elements = path.elements().iter().copied();
    let outline = kurbo::stroke(elements, style, &StrokeOpts::default(), TOLERANCE / scale);
    winding(&outline, transform, point) != 0
}

/// A shadow without blur is a rounded rectangle. A blurred shadow has no edge; its box is already known to
/// contain the point.
fn shadow_contains(shadow: &BoxShadowCommand, point: Point) -> Option<bool> {
    if shadow.std_dev > 0.0 {
        return Some(false);
    }
    let shape = RoundedRect::from_rect(shadow.rect.abs(), shadow.radius.abs());
    let contains = fill_contains(&shape.to_path(TOLERANCE), Fill::NonZero, shadow.transform, point);
    contains.then_some(true)
}

/// Whether a glyph of the run contains the point (`Some`), and whether its outline proves that (`true`).
fn glyphs_contain(run: &GlyphRunCommand, point: Point) -> Option<bool> {
    let outlines = Outlines::new(run);
    let turn = run.glyph_transform.unwrap_or_default();
    let mut by_box = None;
    for glyph in &run.glyphs {
        let place = Vec2::new(glyph.x.into(), glyph.y.into());
        let transform = run.transform * Affine::translate(place) * turn;
        if transform.determinant() == 0.0 {
            continue;
        }
        let near = transform.inverse() * point;
        let outline = match &outlines {
            Some(outlines) if !outlines.reaches(glyph.id, near) => continue,
            Some(outlines) => outlines.outline(glyph.id),
            None => None,
        };
        match outline {
            Some(outline) => {
                if is_visible_brush(&run.brush) && ink_contains(run, &outline, near) {
                    return Some(true);
                }
            }
            None => {
                // For a bitmap or an unreadable font, assumes a box about the size of a letter.
                let size = f64::from(run.font_size);
                if Rect::new(0.0, -size, size, 0.25 * size).abs().contains(near) {
                    by_box = Some(false);
                }
            }
        }
    }
    by_box
}

/// Whether a glyph's outline, painted like the run, contains a point in the glyph's own coordinates.
fn ink_contains(run: &GlyphRunCommand, outline: &BezPath, point: Point) -> bool {
    let bold = run.embolden.x.abs().max(run.embolden.y.abs());
    match &run.style {
        Style::Fill(rule) => {
            fill_contains(outline, *rule, Affine::IDENTITY, point)
                || (bold > 0.0
                    && stroke_contains(outline, &Stroke::new(2.0 * bold), Affine::IDENTITY, point))
        }
        Style::Stroke(style) => stroke_contains(outline, style, Affine::IDENTITY, point),
    }
}

/// The outlines of a run's font, in the run's units, y downwards.
struct Outlines<'a> {
    font: FontRef<'a>,
    coords: Vec<NormalizedCoord>,
    scale: f64,
    /// The distance by which ink extends beyond an outline.
    pen: f64,
    /// Whether glyphs may be bitmaps.
    has_pictures: bool,
}

impl<'a> Outlines<'a> {
    /// Reads the font; `None` if it is unreadable.
    fn new(run: &'a GlyphRunCommand) -> Option<Self> {
        let font = FontRef::from_index(run.font_data.data.data(), run.font_data.index).ok()?;
        let units = f64::from(font.head().ok()?.units_per_em());
        let coords = run.normalized_coords.iter().map(|c| NormalizedCoord::from_bits(*c)).collect();
        let bold = run.embolden.x.abs().max(run.embolden.y.abs());
        let pen = match &run.style {
            Style::Fill(_) => 2.0 * bold,
            Style::Stroke(style) => style.width.abs() * style.miter_limit.max(2.0),
        };
        let has = |tag: &[u8; 4]| font.table_data(Tag::new(tag)).is_some();
        let has_pictures = [b"COLR", b"CBDT", b"sbix", b"EBDT", b"SVG "].into_iter().any(has);
        let scale = f64::from(run.font_size) / units;
        (units > 0.0).then_some(Self { font, coords, scale, pen, has_pictures })
    }

    /// Whether the glyph's box contains the point; `true` if the box is unknown.
    fn reaches(&self, id: u32, point: Point) -> bool {
        if self.has_pictures {
            return true;
        }
        let metrics = self.font.glyph_metrics(Size::unscaled(), LocationRef::new(&self.coords));
        let Some(b) = metrics.bounds(GlyphId::new(id)) else { return true };
        let [x0, y0, x1, y1] = [b.x_min, -b.y_max, b.x_max, -b.y_min].map(f64::from);
        let outline = Rect::new(x0, y0, x1, y1).scale_from_origin(self.scale).abs();
        outline.inflate(self.pen, self.pen).contains(point)
    }

    /// Returns the outline; `None` if the glyph has none, and may be a bitmap.
    fn outline(&self, id: u32) -> Option<BezPath> {
        let glyph = self.font.outline_glyphs().get(GlyphId::new(id))?;
        let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::new(&self.coords));
        let mut pen = PathPen { path: BezPath::new(), scale: self.scale };
        glyph.draw(settings, &mut pen).ok()?;
        (!self.has_pictures || !pen.path.elements().is_empty()).then_some(pen.path)
    }
}

/// Collects an outline, scaled, y downwards.
struct PathPen {
    path: BezPath,
    scale: f64,
}

impl PathPen {
    fn point(&self, x: f32, y: f32) -> Point {
        Point::new(f64::from(x) * self.scale, -f64::from(y) * self.scale)
    }
}

impl OutlinePen for PathPen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.point(x, y));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.point(x, y));
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.path.quad_to(self.point(cx, cy), self.point(x, y));
    }

    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        let [a, b, to] = [(cx0, cy0), (cx1, cy1), (x, y)].map(|(x, y)| self.point(x, y));
        self.path.curve_to(a, b, to);
    }

    fn close(&mut self) {
        self.path.close_path();
    }
}
