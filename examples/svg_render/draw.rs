//! A drawing of usvg as a scene of Vello: groups are layers, paths are fills and strokes.

use treebounds_encoding::svg::usvg::{
    self, ClipPath, FillRule, Group, ImageKind, LineCap, LineJoin, Mask, MaskType, Node, Opacity,
    Paint, PaintOrder, Path, Pattern, SpreadMethod, Stop, tiny_skia_path::PathSegment,
};
use vello::Scene;
use vello::kurbo::{Affine, BezPath, Cap, Join, Rect, Shape, Stroke};
use vello::peniko::{
    BlendMode, Blob, Brush, Color, ColorStop, Compose, Extend, Fill, Gradient, ImageAlphaType,
    ImageBrush, ImageData, ImageFormat, Mix, StyleRef,
};

/// Draws a group; says what could not be drawn.
pub(crate) fn group(scene: &mut Scene, group: &Group, transform: Affine) -> Vec<String> {
    let mut painter = Painter { scene, notes: Vec::new() };
    painter.group(group, transform);
    painter.notes
}

struct Painter<'a> {
    scene: &'a mut Scene,
    notes: Vec<String>,
}

impl Painter<'_> {
    fn group(&mut self, group: &Group, outer: Affine) {
        let transform = outer * affine(group.transform());
        if !group.filters().is_empty() {
            self.notes.push("filters are left out".to_owned());
        }
        if !group.should_isolate() {
            return self.children(group, transform);
        }
        // Filters may reach out of it, but they are left out.
        let area = rect(group.layer_bounding_box().to_rect());
        let (mode, opacity) = (blend(group.blend_mode()), group.opacity().get());
        let shape = group.clip_path().and_then(|clip| shape(clip, transform));
        match &shape {
            // A layer of Vello has a shape: with a clip path that is one, it clips.
            Some((rule, own, outline)) => {
                self.scene.push_layer(*rule, mode, opacity, *own, outline);
            }
            None => self.scene.push_layer(Fill::NonZero, mode, opacity, transform, &area),
        }
        self.children(group, transform);
        if let (Some(clip), None) = (group.clip_path(), &shape) {
            self.clip(clip, area, transform);
        }
        if let Some(mask) = group.mask() {
            self.mask(mask, area, transform);
        }
        self.scene.pop_layer();
    }

    /// Keeps what is inside: what is drawn for the clip path is all that is left of the layer.
    fn clip(&mut self, clip: &ClipPath, area: Rect, transform: Affine) {
        let inside = BlendMode::new(Mix::Normal, Compose::DestIn);
        self.scene.push_layer(Fill::NonZero, inside, 1.0, transform, &area);
        let own = transform * affine(clip.transform());
        self.group(clip.root(), own);
        if let Some(outer) = clip.clip_path() {
            // It has the area of the clip that it cuts, in the layer's coordinates.
            self.clip(outer, area, transform);
        }
        self.scene.pop_layer();
    }

    fn mask(&mut self, mask: &Mask, area: Rect, transform: Affine) {
        let region = rect(mask.rect().to_rect());
        let inside = BlendMode::new(Mix::Normal, Compose::DestIn);
        self.scene.push_layer(Fill::NonZero, inside, 1.0, transform, &area);
        self.scene.push_clip_layer(Fill::NonZero, transform, &region);
        match mask.kind() {
            MaskType::Alpha => self.group(mask.root(), transform),
            MaskType::Luminance => {
                // White, of which the luminance of the mask is kept.
                self.scene.fill(Fill::NonZero, transform, Color::WHITE, None, &region);
                self.scene.push_luminance_mask_layer(Fill::NonZero, 1.0, transform, &region);
                self.group(mask.root(), transform);
                self.scene.pop_layer();
            }
        }
        if let Some(outer) = mask.mask() {
            self.mask(outer, area, transform);
        }
        self.scene.pop_layer();
        self.scene.pop_layer();
    }

    fn children(&mut self, group: &Group, transform: Affine) {
        for child in group.children() {
            match child {
                Node::Group(group) => self.group(group, transform),
                Node::Path(path) => draw_path(self.scene, path, transform, &mut self.notes),
                Node::Text(text) => self.group(text.flattened(), transform),
                Node::Image(image) if image.is_visible() => self.image(image, transform),
                Node::Image(_) => {}
            }
        }
    }

    fn image(&mut self, image: &usvg::Image, transform: Affine) {
        let data = match image.kind() {
            ImageKind::SVG(tree) => return self.group(tree.root(), transform),
            ImageKind::PNG(data) | ImageKind::JPEG(data) => data,
            ImageKind::GIF(_) | ImageKind::WEBP(_) => {
                return self.notes.push("GIF and WebP images are left out".to_owned());
            }
        };
        let Ok(decoded) = image::load_from_memory(data) else {
            return self.notes.push("an image cannot be read, and is left out".to_owned());
        };
        let pixels = decoded.to_rgba8();
        let (width, height) = pixels.dimensions();
        let brush = ImageBrush::new(ImageData {
            data: Blob::from(pixels.into_raw()),
            format: ImageFormat::Rgba8,
            alpha_type: ImageAlphaType::Alpha,
            width,
            height,
        });
        self.scene.draw_image(&brush, transform);
    }
}

/// The one shape that a clip path is, if it is one.
fn shape(clip: &ClipPath, transform: Affine) -> Option<(Fill, Affine, BezPath)> {
    let mut own = transform * affine(clip.transform());
    let mut group = clip.root();
    if clip.clip_path().is_some() {
        return None;
    }
    loop {
        own *= affine(group.transform());
        match group.children() {
            _ if group.should_isolate() => return None,
            [Node::Group(inner)] => group = inner,
            [Node::Path(path)] if path.is_visible() => {
                let fill = path.fill()?;
                return Some((rule(fill), own, outline(path)));
            }
            _ => return None,
        }
    }
}

/// The transform of usvg as one of kurbo.
fn affine(t: usvg::Transform) -> Affine {
    Affine::new([t.sx, t.ky, t.kx, t.sy, t.tx, t.ty].map(f64::from))
}

fn rect(rect: usvg::Rect) -> Rect {
    let [x0, y0, x1, y1] = [rect.left(), rect.top(), rect.right(), rect.bottom()].map(f64::from);
    Rect::new(x0, y0, x1, y1)
}

fn blend(mode: usvg::BlendMode) -> BlendMode {
    let mix = match mode {
        usvg::BlendMode::PlusLighter => {
            return BlendMode::new(Mix::Normal, Compose::PlusLighter);
        }
        usvg::BlendMode::Normal => Mix::Normal,
        usvg::BlendMode::Multiply => Mix::Multiply,
        usvg::BlendMode::Screen => Mix::Screen,
        usvg::BlendMode::Overlay => Mix::Overlay,
        usvg::BlendMode::Darken => Mix::Darken,
        usvg::BlendMode::Lighten => Mix::Lighten,
        usvg::BlendMode::ColorDodge => Mix::ColorDodge,
        usvg::BlendMode::ColorBurn => Mix::ColorBurn,
        usvg::BlendMode::HardLight => Mix::HardLight,
        usvg::BlendMode::SoftLight => Mix::SoftLight,
        usvg::BlendMode::Difference => Mix::Difference,
        usvg::BlendMode::Exclusion => Mix::Exclusion,
        usvg::BlendMode::Hue => Mix::Hue,
        usvg::BlendMode::Saturation => Mix::Saturation,
        usvg::BlendMode::Color => Mix::Color,
        usvg::BlendMode::Luminosity => Mix::Luminosity,
    };
    BlendMode::new(mix, Compose::SrcOver)
}

/// The most tiles of a pattern.
const MOST_TILES: f64 = 10_000.0;

/// Draws a path: its fill and stroke, in its order.
fn draw_path(scene: &mut Scene, path: &Path, transform: Affine, notes: &mut Vec<String>) {
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
        draw_painted(scene, style, paint, opacity, &outline, transform, notes);
    }
}

fn draw_painted(
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
    notes.extend(group(&mut content, pattern.root(), origin));
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
fn rule(fill: &usvg::Fill) -> Fill {
    match fill.rule() {
        FillRule::NonZero => Fill::NonZero,
        FillRule::EvenOdd => Fill::EvenOdd,
    }
}

/// The outline of a path, as kurbo has it.
fn outline(path: &Path) -> BezPath {
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
