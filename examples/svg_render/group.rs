//! Groups: layers of Vello.

use crate::paint;
use treebounds_encoding::svg::usvg::{self, ClipPath, Group, ImageKind, Mask, MaskType, Node};
use vello::Scene;
use vello::kurbo::{Affine, BezPath, Rect};
use vello::peniko::{
    BlendMode, Blob, Color, Compose, Fill, ImageAlphaType, ImageBrush, ImageData, ImageFormat, Mix,
};

/// Draws a group; says what could not be drawn.
pub(crate) fn draw(scene: &mut Scene, group: &Group, transform: Affine) -> Vec<String> {
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
                Node::Path(path) => paint::path(self.scene, path, transform, &mut self.notes),
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
                return Some((paint::rule(fill), own, paint::outline(path)));
            }
            _ => return None,
        }
    }
}

/// The transform of usvg as one of kurbo.
pub(crate) fn affine(t: usvg::Transform) -> Affine {
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
