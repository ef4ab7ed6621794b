//! Vello scenes from bytes, and what is known of them.

use crate::shapes::{Drawn, affine, along, is_tame, shape, stroke};
use crate::words::Number;
use arbitrary::{Result, Unstructured};
use kurbo::{Affine, PathEl, Point, Rect};
use peniko::{
    Blob, Color, Compose, Fill, Gradient, ImageAlphaType, ImageBrush, ImageData, ImageFormat, Mix,
};
use treebounds_core::Role;
use vello::{Glyph, Scene};

/// The most calls.
const MOST: usize = 32;

/// What is known of an element.
#[derive(Clone, Debug)]
pub(super) struct Expected {
    pub(super) role: Role,
    pub(super) transform: Affine,
    /// Points that are painted, before the transform.
    pub(super) points: Vec<Point>,
}

/// A scene, and what is known of it.
pub(super) struct Painted {
    pub(super) scene: Scene,
    pub(super) expected: Vec<Expected>,
    /// Whether all its numbers are small.
    pub(super) tame: bool,
}

pub(super) fn paint(u: &mut Unstructured<'_>) -> Result<Painted> {
    let mut painted = Painted { scene: Scene::new(), expected: Vec::new(), tame: true };
    let mut depth = 0;
    for _ in 0..MOST {
        if u.is_empty() {
            break;
        }
        match u.arbitrary::<u8>()? % 16 {
            0..=3 => painted.fill(u)?,
            4..=6 => painted.stroke(u)?,
            7 | 8 => {
                painted.layer(u)?;
                depth += 1;
            }
            9 | 10 if depth > 0 => {
                painted.scene.pop_layer();
                painted.expect(Role::End, Affine::IDENTITY, Vec::new());
                depth -= 1;
            }
            11 => painted.image(u)?,
            12 => painted.blurred(u)?,
            13 => painted.gradient(u)?,
            14 => painted.glyphs(u)?,
            _ => {}
        }
    }
    Ok(painted)
}

impl Painted {
    /// Notes what is known of the call that was just made, unless it drew nothing.
    fn expect(&mut self, role: Role, transform: Affine, points: Vec<Point>) {
        self.tame &= is_tame(transform);
        if self.scene.encoding().draw_tags.len() > self.expected.len() {
            self.expected.push(Expected { role, transform, points });
        }
    }

    fn fill(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let (shape, by) = (shape(u)?, affine(u)?);
        self.tame &= shape.tame;
        self.scene.fill(Fill::EvenOdd, by, Color::BLACK, None, &shape.path());
        self.expect(Role::Draw, by, points(&shape));
        Ok(())
    }

    fn stroke(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let (shape, by, mut style) = (shape(u)?, affine(u)?, stroke(u)?);
        // Vello cuts the path into its dashes when it is called, for ever where they have no length.
        if !shape.tame || style.stroke.dash_pattern.iter().any(|dash| !(1.0..100.0).contains(dash))
        {
            style.stroke.dash_pattern.clear();
        }
        self.tame &= shape.tame && style.tame;
        self.scene.stroke(&style.stroke, by, Color::BLACK, None, &shape.path());
        self.expect(Role::Draw, by, Vec::new());
        Ok(())
    }

    fn layer(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let (shape, by) = (shape(u)?, affine(u)?);
        self.tame &= shape.tame;
        let path = shape.path();
        match u.arbitrary::<u8>()? % 4 {
            0 => self.scene.push_layer(Fill::NonZero, Compose::DestIn, 0.5, by, &path),
            1 => self.scene.push_layer(Fill::NonZero, Mix::Multiply, 1.0, by, &path),
            2 => self.scene.push_luminance_mask_layer(Fill::NonZero, 1.0, by, &path),
            _ => self.scene.push_clip_layer(Fill::NonZero, by, &path),
        }
        self.expect(Role::Begin, by, points(&shape));
        Ok(())
    }

    fn image(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let [width, height] = u.arbitrary::<[u8; 2]>()?.map(|side| u32::from(side % 4));
        let image = ImageBrush::new(ImageData {
            data: Blob::from(vec![255; (4 * width * height) as usize]),
            format: ImageFormat::Rgba8,
            alpha_type: ImageAlphaType::Alpha,
            width,
            height,
        });
        let by = affine(u)?;
        let corners = [(0.0, 0.0), (width.into(), height.into())].map(Point::from);
        self.scene.draw_image(&image, by);
        self.expect(Role::Draw, by, corners.to_vec());
        Ok(())
    }

    fn blurred(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let rect = Rect::new(0.0, 0.0, number(u)?, number(u)?);
        let by = affine(u)?;
        self.scene.draw_blurred_rounded_rect(by, rect, Color::BLACK, 2.0, 1.5);
        self.expect(Role::Draw, by, Vec::new());
        Ok(())
    }

    fn gradient(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let (shape, by) = (shape(u)?, affine(u)?);
        let stops = [Color::BLACK, Color::WHITE];
        let brush = match u.arbitrary::<u8>()? % 3 {
            0 => Gradient::new_linear((0.0, 0.0), (number(u)?, 9.0)),
            1 => Gradient::new_radial((0.0, number(u)?), 9.0),
            _ => Gradient::new_sweep((0.0, 0.0), 0.0, number(u)? as f32),
        };
        let stops = &stops[..usize::from(u.arbitrary::<u8>()? % 3)];
        self.tame &= shape.tame;
        self.scene.fill(Fill::NonZero, by, &brush.with_stops(stops), None, &shape.path());
        self.expect(Role::Draw, by, points(&shape));
        Ok(())
    }

    fn glyphs(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let by = affine(u)?;
        let size = u.arbitrary::<Number>()?;
        self.tame &= size.is_tame();
        let run = u.arbitrary::<[u8; 6]>()?;
        let glyphs = run.iter().map(|id| Glyph { id: u32::from(*id), x: f32::from(*id), y: 0.0 });
        let take = usize::from(run[0] % 6);
        let builder = self.scene.draw_glyphs(treebounds_tests::vello::font()).transform(by);
        let builder = builder.font_size(size.0).hint(run[1].is_multiple_of(2)).brush(Color::BLACK);
        builder.draw(Fill::NonZero, glyphs.take(take));
        self.expect(Role::Draw, by, Vec::new());
        Ok(())
    }
}

/// Points of a filled shape, as its path follows it. Vello takes the first segment after a subpath that is closed at once for a move, so of such
/// a path none are known.
fn points(shape: &Drawn) -> Vec<Point> {
    let path = shape.path();
    let odd = |two: &[PathEl]| {
        matches!(two, [PathEl::MoveTo(_), PathEl::ClosePath])
            || matches!(two, [PathEl::ClosePath, next] if !matches!(next, PathEl::MoveTo(_)))
    };
    if path.elements().windows(2).any(odd) { Vec::new() } else { along(&path, 0.0) }
}

/// A number that is finite.
fn number(u: &mut Unstructured<'_>) -> Result<f64> {
    let number = u.arbitrary::<Number>()?;
    Ok(if number.is_tame() { number.0.into() } else { 1.0 })
}
