//! Compares arbitrary sequences of canvas calls with a model of nested saves, clips and layers.

mod model;

use crate::Outcome;
use crate::shapes::{Any, Drawn, affine, shape, stroke};
use kurbo::Affine;
use model::Model;
use peniko::{BlendMode, Compose, Mix};
use treebounds_encoding::canvas::{Canvas, CanvasError};
use treebounds_testkit::{Rng, failing};

/// Calls a method of the canvas, which is generic over the type of the shape, with the concrete shape.
macro_rules! with {
    ($drawn:expr, $shape:ident => $call:expr) => {
        match &$drawn.shape {
            Any::Rect($shape) => $call,
            Any::Circle($shape) => $call,
            Any::Line($shape) => $call,
            Any::Rounded($shape) => $call,
            Any::Arc($shape) => $call,
            Any::Path($shape) => $call,
        }
    };
}

const MOST: usize = 48;

/// Makes arbitrary calls. The canvas must report the first mistake that the model finds, and the box of every
/// shape must contain its points.
pub fn canvas(data: &[u8]) -> Outcome {
    calls(&mut Rng::of_bytes(data))
}

fn calls(rng: &mut Rng) -> Outcome {
    let size = [(); 2].map(|()| rng.byte()).map(f32::from);
    let mut canvas = Canvas::new(size[0], size[1]);
    let mut model = Model::default();
    for _ in 0..MOST {
        if rng.is_spent() {
            break;
        }
        call(rng, &mut canvas, &mut model);
        if canvas.error().is_some() {
            break;
        }
    }
    finish(canvas, &model)
}

fn call(rng: &mut Rng, canvas: &mut Canvas, model: &mut Model) {
    match rng.below(18) {
        0 => {
            canvas.save();
            model.save();
        }
        // Rarely calls `restore` without a save, because the first mistake ends the sequence.
        1 if model.may_restore() || rng.byte() < 8 => {
            canvas.restore();
            model.restore();
        }
        2 | 3 if model.may_pop() || rng.byte() < 8 => {
            canvas.pop_layer();
            model.pop_layer();
        }
        4 | 5 => {
            let by = affine(rng);
            canvas.transform(by);
            model.set_transform(model.transform * by);
        }
        6 => {
            let by = affine(rng);
            canvas.set_transform(by);
            model.set_transform(by);
        }
        7 => {
            canvas.label(format!("n{}", model.elements()));
        }
        8..=10 => fill(rng, canvas, model),
        11 | 12 => stroked(rng, canvas, model),
        13 | 14 => {
            let shape = shape(rng);
            with!(shape, it => { canvas.clip(it); });
            model.open(Some((shape, Affine::IDENTITY)));
        }
        15 => layer(rng, canvas, model),
        16 => {
            let [blend, _] = blend(rng);
            canvas.push_group(blend, 0.5);
            model.open_layer(None);
        }
        1..=3 => {}
        _ => images(rng, canvas, model),
    }
}

fn fill(rng: &mut Rng, canvas: &mut Canvas, model: &mut Model) {
    let shape = shape(rng);
    with!(shape, it => { canvas.fill(it); });
    model.draw(shape, 0.0, Affine::IDENTITY);
}

fn stroked(rng: &mut Rng, canvas: &mut Canvas, model: &mut Model) {
    let (shape, style) = (shape(rng), stroke(rng));
    let (tame, width) = (style.tame, style.stroke.width);
    with!(shape, it => { canvas.stroke(&style.stroke, it); });
    model.wild |= !(tame && shape.tame);
    let shape =
        if width == 0.0 || !style.stroke.dash_pattern.is_empty() { None } else { Some(shape) };
    match shape {
        Some(shape) => model.draw(shape, width.abs() / 2.0, Affine::IDENTITY),
        None => model.draw_unknown(),
    }
}

fn layer(rng: &mut Rng, canvas: &mut Canvas, model: &mut Model) {
    let (shape, by) = (shape(rng), affine(rng));
    let [blend, plain] = blend(rng);
    let kind = rng.below(3);
    with!(shape, it => match kind {
        0 => { canvas.push_layer(plain, 1.0, by, it); }
        1 => { canvas.push_layer(blend, 1.0, by, it); }
        _ => { canvas.push_luminance_mask_layer(1.0, by, it); }
    });
    model.open_layer(Some((shape, by)));
}

fn images(rng: &mut Rng, canvas: &mut Canvas, model: &mut Model) {
    let by = affine(rng);
    let [width, height] = [(); 2].map(|()| rng.byte()).map(f64::from);
    canvas.draw_image((width, height), by);
    let rect = kurbo::Rect::new(0.0, 0.0, width, height);
    model.draw(Drawn::of(rect), 0.0, by);
}

/// Returns two blend modes: a multiplying one with a random compositing operator, and the default.
fn blend(rng: &mut Rng) -> [BlendMode; 2] {
    let composes = [Compose::SrcOver, Compose::Clear, Compose::Copy, Compose::DestIn, Compose::Xor];
    let compose = *rng.pick(&composes);
    [BlendMode::new(Mix::Multiply, compose), BlendMode::new(Mix::Normal, Compose::SrcOver)]
}

fn finish(canvas: Canvas, model: &Model) -> Outcome {
    let scene = match canvas.finish() {
        Ok(scene) => scene,
        Err(CanvasError::NotANumber { source_kind, .. }) => {
            assert!(model.wild, "a {source_kind} of small numbers is no number: {model:?}");
            return Outcome::REFUSED;
        }
        Err(error) => {
            let name = format!("{error:?}");
            let is_it = model.mistake.is_some_and(|mistake| name.starts_with(mistake));
            assert!(is_it, "{error}: of {model:?}");
            return Outcome::REFUSED;
        }
    };
    assert_eq!(model.mistake, None, "not found: {scene:?}");
    let stream = &scene.stream;
    let expected = model.elements() + model.open_nodes();
    assert_eq!(stream.len(), expected, "of {model:?}; {}", failing(stream));
    assert_eq!(scene.origins.len(), stream.len(), "{}", failing(stream));
    assert_eq!(scene.notes.len(), model.open_nodes(), "{:?}", scene.notes);
    model.check(stream);
    Outcome::ACCEPTED
}
