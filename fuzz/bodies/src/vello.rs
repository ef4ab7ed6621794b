//! Tests Vello encodings that are made by arbitrary calls and then mangled.

mod mangle;

use crate::Outcome;
use crate::shapes::{affine, is_tame, shape, stroke};
use crate::words::Number;
use kurbo::{Affine, BezPath, Rect};
use peniko::{
    Blob, Color, Compose, Fill, Gradient, ImageAlphaType, ImageBrush, ImageData, ImageFormat, Mix,
};
use treebounds_encoding::vello::{VelloError, encode};
use treebounds_report::Scene as Read;
use treebounds_testkit::{Rng, failing};
use treebounds_vello::close_layers;
use vello::{Glyph, Scene};
use vello_encoding::{DrawTag, Encoding, Resolver};

const MOST: usize = 32;

/// Tests an encoding made by calls, possibly mangled. It yields a typed error or a scene with one element per object.
/// An encoding accepted by the pipeline's check must resolve to the announced size.
pub fn vello(data: &[u8]) -> Outcome {
    encoding(&mut Rng::of_bytes(data))
}

fn encoding(rng: &mut Rng) -> Outcome {
    let cuts = rng.byte().saturating_sub(160) / 16;
    let painted = paint(rng);
    let mut encoding = painted.scene.encoding().clone();
    for _ in 0..cuts {
        mangle::mangle(rng, &mut encoding);
    }
    let read = encode(&encoding, 300.0, 200.0);
    if cuts == 0 && painted.tame {
        assert!(read.is_ok(), "{:?}", read.err());
    }
    check_resolved(&encoding, &read);
    let Ok(scene) = read else { return Outcome::REFUSED };
    assert_eq!(scene.origins.len(), scene.stream.len(), "{}", failing(&scene.stream));
    if cuts == 0 {
        let closed = scene.notes.iter().filter(|note| note.ends_with("closed")).count();
        let objects = scene.stream.len() - closed;
        assert_eq!(objects, encoding.draw_tags.len(), "{}", failing(&scene.stream));
    }
    Outcome::ACCEPTED
}

/// A scene, and whether all its numbers are small.
struct Painted {
    scene: Scene,
    tame: bool,
}

fn paint(rng: &mut Rng) -> Painted {
    let mut painted = Painted { scene: Scene::new(), tame: true };
    let mut depth = 0;
    for _ in 0..MOST {
        if rng.is_spent() {
            break;
        }
        match rng.below(16) {
            0..=3 => painted.fill(rng),
            4..=6 => painted.stroke(rng),
            7 | 8 => {
                painted.layer(rng);
                depth += 1;
            }
            9 | 10 if depth > 0 => {
                painted.scene.pop_layer();
                depth -= 1;
            }
            11 => painted.image(rng),
            12 => painted.blurred(rng),
            13 => painted.gradient(rng),
            14 => painted.glyphs(rng),
            _ => {}
        }
    }
    painted
}

impl Painted {
    fn affine(&mut self, rng: &mut Rng) -> Affine {
        let by = affine(rng);
        self.tame &= is_tame(by);
        by
    }

    fn path(&mut self, rng: &mut Rng) -> BezPath {
        let shape = shape(rng);
        self.tame &= shape.tame;
        shape.path()
    }

    fn fill(&mut self, rng: &mut Rng) {
        let (path, by) = (self.path(rng), self.affine(rng));
        self.scene.fill(Fill::EvenOdd, by, Color::BLACK, None, &path);
    }

    fn stroke(&mut self, rng: &mut Rng) {
        let (shape, by, mut style) = (shape(rng), self.affine(rng), stroke(rng));
        // Vello splits the path into dashes during the call, and loops forever on dashes of length 0.
        if !shape.tame || style.stroke.dash_pattern.iter().any(|dash| !(1.0..100.0).contains(dash))
        {
            style.stroke.dash_pattern.clear();
        }
        self.tame &= shape.tame && style.tame;
        self.scene.stroke(&style.stroke, by, Color::BLACK, None, &shape.path());
    }

    fn layer(&mut self, rng: &mut Rng) {
        let (path, by) = (self.path(rng), self.affine(rng));
        match rng.below(4) {
            0 => self.scene.push_layer(Fill::NonZero, Compose::DestIn, 0.5, by, &path),
            1 => self.scene.push_layer(Fill::NonZero, Mix::Multiply, 1.0, by, &path),
            2 => self.scene.push_luminance_mask_layer(Fill::NonZero, 1.0, by, &path),
            _ => self.scene.push_clip_layer(Fill::NonZero, by, &path),
        }
    }

    fn image(&mut self, rng: &mut Rng) {
        let [width, height] = [(); 2].map(|()| rng.below(4));
        let image = ImageBrush::new(ImageData {
            data: Blob::from(vec![255; (4 * width * height) as usize]),
            format: ImageFormat::Rgba8,
            alpha_type: ImageAlphaType::Alpha,
            width,
            height,
        });
        let by = self.affine(rng);
        self.scene.draw_image(&image, by);
    }

    fn blurred(&mut self, rng: &mut Rng) {
        let rect = Rect::new(0.0, 0.0, number(rng), number(rng));
        let by = self.affine(rng);
        self.scene.draw_blurred_rounded_rect(by, rect, Color::BLACK, 2.0, 1.5);
    }

    fn gradient(&mut self, rng: &mut Rng) {
        let (path, by) = (self.path(rng), self.affine(rng));
        let stops = [Color::BLACK, Color::WHITE];
        let brush = match rng.below(3) {
            0 => Gradient::new_linear((0.0, 0.0), (number(rng), 9.0)),
            1 => Gradient::new_radial((0.0, number(rng)), 9.0),
            _ => Gradient::new_sweep((0.0, 0.0), 0.0, number(rng) as f32),
        };
        let stops = &stops[..rng.below(3) as usize];
        self.scene.fill(Fill::NonZero, by, &brush.with_stops(stops), None, &path);
    }

    fn glyphs(&mut self, rng: &mut Rng) {
        let by = self.affine(rng);
        let size = Number::any(rng);
        self.tame &= size.is_tame();
        let run = [(); 6].map(|()| rng.byte());
        let glyphs = run.iter().map(|id| Glyph { id: u32::from(*id), x: f32::from(*id), y: 0.0 });
        let take = usize::from(run[0] % 6);
        let builder = self.scene.draw_glyphs(treebounds_testkit::font()).transform(by);
        let builder = builder.font_size(size.0).hint(run[1].is_multiple_of(2)).brush(Color::BLACK);
        builder.draw(Fill::NonZero, glyphs.take(take));
    }
}

fn number(rng: &mut Rng) -> f64 {
    let number = Number::any(rng);
    if number.is_tame() { number.0.into() } else { 1.0 }
}

/// Checks that the resolver can pack every accepted encoding, and finds as many objects and layers as the layout
/// announces.
fn check_resolved(encoding: &Encoding, read: &Result<Read, VelloError>) {
    if treebounds_vello::check(encoding).is_err() {
        return;
    }
    // The pipeline accepts these encodings, but they have no boxes.
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
