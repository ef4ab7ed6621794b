//! Any encoding of Vello: of calls, and then mangled.

mod mangle;

use crate::Outcome;
use crate::shapes::{affine, is_tame, shape, stroke};
use crate::words::Number;
use arbitrary::{Result, Unstructured};
use kurbo::{Affine, BezPath, Rect};
use peniko::{
    Blob, Color, Compose, Fill, Gradient, ImageAlphaType, ImageBrush, ImageData, ImageFormat, Mix,
};
use treebounds_encoding::vello::{VelloError, encode};
use treebounds_report::Scene as Read;
use treebounds_vello::close_layers;
use vello::{Glyph, Scene};
use vello_encoding::{DrawTag, Encoding, Resolver};

/// The most calls.
const MOST: usize = 32;

/// An encoding from calls, left as it is or mangled: a typed error or a scene with an element for each object; and what
/// passes the check of a pipeline resolves to as much as it says.
pub fn vello(data: &[u8]) -> Outcome {
    let mut u = Unstructured::new(data);
    encoding(&mut u).unwrap_or(Outcome::REFUSED)
}

fn encoding(u: &mut Unstructured<'_>) -> Result<Outcome> {
    let cuts = u.arbitrary::<u8>()?.saturating_sub(160) / 16;
    let painted = paint(u)?;
    let mut encoding = painted.scene.encoding().clone();
    for _ in 0..cuts {
        mangle::mangle(u, &mut encoding)?;
    }
    let read = encode(&encoding, 300.0, 200.0);
    if cuts == 0 && painted.tame {
        assert!(read.is_ok(), "{:?}", read.err());
    }
    check_resolved(&encoding, &read);
    let Ok(scene) = read else { return Ok(Outcome::REFUSED) };
    assert_eq!(scene.origins.len(), scene.stream.len());
    if cuts == 0 {
        let closed = scene.notes.iter().filter(|note| note.ends_with("closed")).count();
        assert_eq!(scene.stream.len() - closed, encoding.draw_tags.len());
    }
    Ok(Outcome::ACCEPTED)
}

/// A scene, and whether all its numbers are small.
struct Painted {
    scene: Scene,
    tame: bool,
}

fn paint(u: &mut Unstructured<'_>) -> Result<Painted> {
    let mut painted = Painted { scene: Scene::new(), tame: true };
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
    /// A transform.
    fn affine(&mut self, u: &mut Unstructured<'_>) -> Result<Affine> {
        let by = affine(u)?;
        self.tame &= is_tame(by);
        Ok(by)
    }

    /// The path of a shape.
    fn path(&mut self, u: &mut Unstructured<'_>) -> Result<BezPath> {
        let shape = shape(u)?;
        self.tame &= shape.tame;
        Ok(shape.path())
    }

    fn fill(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let (path, by) = (self.path(u)?, self.affine(u)?);
        self.scene.fill(Fill::EvenOdd, by, Color::BLACK, None, &path);
        Ok(())
    }

    fn stroke(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let (shape, by, mut style) = (shape(u)?, self.affine(u)?, stroke(u)?);
        // Vello cuts the path into its dashes when it is called, for ever where they have no length.
        if !shape.tame || style.stroke.dash_pattern.iter().any(|dash| !(1.0..100.0).contains(dash))
        {
            style.stroke.dash_pattern.clear();
        }
        self.tame &= shape.tame && style.tame;
        self.scene.stroke(&style.stroke, by, Color::BLACK, None, &shape.path());
        Ok(())
    }

    fn layer(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let (path, by) = (self.path(u)?, self.affine(u)?);
        match u.arbitrary::<u8>()? % 4 {
            0 => self.scene.push_layer(Fill::NonZero, Compose::DestIn, 0.5, by, &path),
            1 => self.scene.push_layer(Fill::NonZero, Mix::Multiply, 1.0, by, &path),
            2 => self.scene.push_luminance_mask_layer(Fill::NonZero, 1.0, by, &path),
            _ => self.scene.push_clip_layer(Fill::NonZero, by, &path),
        }
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
        let by = self.affine(u)?;
        self.scene.draw_image(&image, by);
        Ok(())
    }

    fn blurred(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let rect = Rect::new(0.0, 0.0, number(u)?, number(u)?);
        let by = self.affine(u)?;
        self.scene.draw_blurred_rounded_rect(by, rect, Color::BLACK, 2.0, 1.5);
        Ok(())
    }

    fn gradient(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let (path, by) = (self.path(u)?, self.affine(u)?);
        let stops = [Color::BLACK, Color::WHITE];
        let brush = match u.arbitrary::<u8>()? % 3 {
            0 => Gradient::new_linear((0.0, 0.0), (number(u)?, 9.0)),
            1 => Gradient::new_radial((0.0, number(u)?), 9.0),
            _ => Gradient::new_sweep((0.0, 0.0), 0.0, number(u)? as f32),
        };
        let stops = &stops[..usize::from(u.arbitrary::<u8>()? % 3)];
        self.scene.fill(Fill::NonZero, by, &brush.with_stops(stops), None, &path);
        Ok(())
    }

    fn glyphs(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let by = self.affine(u)?;
        let size = u.arbitrary::<Number>()?;
        self.tame &= size.is_tame();
        let run = u.arbitrary::<[u8; 6]>()?;
        let glyphs = run.iter().map(|id| Glyph { id: u32::from(*id), x: f32::from(*id), y: 0.0 });
        let take = usize::from(run[0] % 6);
        let builder = self.scene.draw_glyphs(treebounds_tests::vello::font()).transform(by);
        let builder = builder.font_size(size.0).hint(run[1].is_multiple_of(2)).brush(Color::BLACK);
        builder.draw(Fill::NonZero, glyphs.take(take));
        Ok(())
    }
}

/// A number that is finite.
fn number(u: &mut Unstructured<'_>) -> Result<f64> {
    let number = u.arbitrary::<Number>()?;
    Ok(if number.is_tame() { number.0.into() } else { 1.0 })
}

/// The resolver can pack whatever passes the check, and finds as many objects and layers as the layout says.
fn check_resolved(encoding: &Encoding, read: &std::result::Result<Read, VelloError>) {
    if treebounds_vello::check(encoding).is_err() {
        return;
    }
    // A pipeline draws these, whatever they are; they have no boxes.
    let odd = |error: &VelloError| {
        matches!(
            error,
            VelloError::BadPathTag { .. }
                | VelloError::BadStyle { .. }
                | VelloError::PathOpen { .. }
                | VelloError::BadGlyphRun { .. }
                | VelloError::NotANumber { .. }
                | VelloError::StreamEnds { stream: "path data", .. }
        )
    };
    if let Err(error) = read {
        assert!(odd(error), "the check passes what is refused: {error}");
    }
    let mut packed = Vec::new();
    let (mut layout, ..) = Resolver::new().resolve(encoding, &mut packed);
    close_layers(&mut layout, encoding);
    let runs = encoding.resources.glyph_runs.len();
    // The packed bytes need not be aligned.
    let tags = &packed[4 * layout.draw_tag_base as usize..4 * layout.draw_data_base as usize];
    let tags = bytemuck::pod_collect_to_vec::<u8, DrawTag>(tags);
    if runs == 0 {
        assert_eq!(tags.len(), layout.n_draw_objects as usize);
    }
    let clips = tags.iter().filter(|tag| tag.0 & 1 != 0).count();
    assert_eq!(clips, layout.n_clips as usize);
    let depth = tags.iter().try_fold(0_usize, |depth, tag| match *tag {
        DrawTag::BEGIN_CLIP => Some(depth + 1),
        DrawTag::END_CLIP => depth.checked_sub(1),
        _ => Some(depth),
    });
    assert_eq!(depth, Some(0), "the layers that are closed balance");
}
