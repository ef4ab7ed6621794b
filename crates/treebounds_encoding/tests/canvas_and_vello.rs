//! The same program, drawn on a canvas and recorded for Vello, gives the same
//! tree and, but for Vello's slack, the same boxes.

use kurbo::{Affine, BezPath, Cap, Join, PathEl, Stroke, Vec2};
use peniko::{BlendMode, Color, Compose, Fill, Mix};
use proptest::prelude::*;
use treebounds_core::Rect;
use treebounds_encoding::canvas::Canvas;
use treebounds_encoding::vello;
use vello_encoding::{DrawBeginClip, Encoding, Transform};

#[derive(Clone, Debug)]
enum Call {
    Save,
    Restore,
    Transform(Affine),
    Clip(BezPath),
    Layer(BlendMode, Affine, BezPath),
    ClipLayer(Affine, BezPath),
    Mask(BezPath),
    PopLayer,
    Fill(BezPath),
    Stroke(Stroke, BezPath),
}

/// Multiples of an eighth, so that `f32` holds every number met here exactly and
/// both ways compute the same.
fn eighths(range: std::ops::Range<i32>) -> impl Strategy<Value = f64> {
    range.prop_map(|n| f64::from(n) / 8.0)
}

fn step() -> impl Strategy<Value = Vec2> {
    (eighths(8..200), eighths(-200..200)).prop_map(|(x, y)| Vec2::new(x, y))
}

fn path() -> impl Strategy<Value = BezPath> {
    let segment = (0..3, prop::array::uniform3(step()), any::<bool>());
    let subpath = (step(), prop::collection::vec(segment, 1..4), any::<bool>());
    prop::collection::vec(subpath, 1..3).prop_map(|subpaths| {
        let mut path = BezPath::new();
        for (start, segments, closed) in subpaths {
            let mut at = start.to_point();
            path.move_to(at);
            for (kind, [a, b, c], back) in segments {
                let side = if back { -1.0 } else { 1.0 };
                let (a, b, c) = (at + a * side, at + b * side, at + c * side);
                path.push(match kind {
                    0 => PathEl::LineTo(a),
                    1 => PathEl::QuadTo(a, b),
                    _ => PathEl::CurveTo(a, b, c),
                });
                at = [a, b, c][kind as usize];
            }
            if closed {
                path.close_path();
            }
        }
        path
    })
}

fn transform() -> impl Strategy<Value = Affine> {
    let linear = prop::array::uniform4(eighths(-12..13));
    (linear, eighths(-400..400), eighths(-400..400))
        .prop_map(|([a, b, c, d], x, y)| Affine::new([a, b, c, d, x, y]))
}

fn style() -> impl Strategy<Value = Stroke> {
    let cap = || prop::sample::select(vec![Cap::Butt, Cap::Square, Cap::Round]);
    let join = prop::sample::select(vec![Join::Bevel, Join::Miter, Join::Round]);
    (eighths(1..160), eighths(8..80), cap(), cap(), join).prop_map(
        |(width, limit, start, end, join)| {
            let style = Stroke::new(width).with_start_cap(start).with_end_cap(end);
            style.with_join(join).with_miter_limit(limit)
        },
    )
}

fn blend() -> impl Strategy<Value = BlendMode> {
    prop_oneof![
        prop::sample::select(vec![Mix::Normal, Mix::Multiply, Mix::Hue]).prop_map(Into::into),
        prop::sample::select(vec![Compose::SrcOver, Compose::Copy, Compose::DestIn, Compose::Plus])
            .prop_map(Into::into),
    ]
}

fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        1 => Just(Call::Save),
        1 => Just(Call::Restore),
        1 => transform().prop_map(Call::Transform),
        1 => path().prop_map(Call::Clip),
        1 => (blend(), transform(), path()).prop_map(|(b, t, p)| Call::Layer(b, t, p)),
        1 => (transform(), path()).prop_map(|(t, p)| Call::ClipLayer(t, p)),
        1 => path().prop_map(Call::Mask),
        2 => Just(Call::PopLayer),
        2 => path().prop_map(Call::Fill),
        2 => (style(), path()).prop_map(|(s, p)| Call::Stroke(s, p)),
    ]
}

/// Records calls as Vello's `Scene` would, with the saves of a canvas on top.
#[derive(Default)]
struct Recorder {
    encoding: Encoding,
    transform: Affine,
    /// For every save (`false`) and layer (`true`): the transform and the number
    /// of open clips to go back to.
    scopes: Vec<(bool, Affine, u32)>,
}

impl Recorder {
    fn shape(&mut self, style: Option<&Stroke>, transform: Affine, path: &BezPath) {
        self.encoding.encode_transform(Transform::from_kurbo(&transform));
        match style {
            Some(style) => assert!(self.encoding.encode_stroke_style(style)),
            None => self.encoding.encode_fill_style(Fill::NonZero),
        }
        if !self.encoding.encode_shape(path, style.is_none()) {
            self.encoding.encode_empty_shape();
        }
    }

    fn layer(&mut self, parameters: DrawBeginClip, transform: Affine, path: &BezPath) {
        self.scopes.push((true, self.transform, self.encoding.n_open_clips));
        self.shape(None, self.transform * transform, path);
        self.encoding.encode_begin_clip(parameters);
    }

    fn leave(&mut self) {
        let Some((_, transform, open)) = self.scopes.pop() else { return };
        self.transform = transform;
        while self.encoding.n_open_clips > open {
            self.encoding.encode_end_clip();
        }
    }

    /// Whether the call is one that a canvas takes here.
    fn takes(&self, call: &Call) -> bool {
        match call {
            Call::Restore => self.scopes.last().is_some_and(|(is_layer, ..)| !is_layer),
            Call::PopLayer => self.scopes.iter().any(|(is_layer, ..)| *is_layer),
            _ => true,
        }
    }

    fn call(&mut self, call: &Call) {
        match call {
            Call::Save => self.scopes.push((false, self.transform, self.encoding.n_open_clips)),
            Call::Restore => self.leave(),
            Call::Transform(transform) => self.transform = *transform,
            Call::Clip(path) => {
                self.shape(None, self.transform, path);
                self.encoding.encode_begin_clip(DrawBeginClip::clip());
            }
            Call::Layer(blend, transform, path) => {
                self.layer(DrawBeginClip::new(*blend, 0.5), *transform, path);
            }
            Call::ClipLayer(transform, path) => {
                self.layer(DrawBeginClip::clip(), *transform, path);
            }
            Call::Mask(path) => {
                self.layer(DrawBeginClip::luminance_mask(1.0), Affine::IDENTITY, path);
            }
            Call::PopLayer => {
                while self.scopes.last().is_some_and(|(is_layer, ..)| !is_layer) {
                    self.leave();
                }
                self.leave();
            }
            Call::Fill(path) => {
                self.shape(None, self.transform, path);
                self.encoding.encode_color(Color::BLACK);
            }
            Call::Stroke(style, path) => {
                self.shape(Some(style), self.transform, path);
                self.encoding.encode_color(Color::BLACK);
            }
        }
    }
}

fn draw(canvas: &mut Canvas, call: &Call) {
    match call {
        Call::Save => canvas.save(),
        Call::Restore => canvas.restore(),
        Call::Transform(transform) => canvas.set_transform(*transform),
        Call::Clip(path) => canvas.clip(path),
        Call::Layer(blend, transform, path) => canvas.push_layer(*blend, 0.5, *transform, path),
        Call::ClipLayer(transform, path) => canvas.push_clip_layer(*transform, path),
        Call::Mask(path) => canvas.push_luminance_mask_layer(1.0, Affine::IDENTITY, path),
        Call::PopLayer => canvas.pop_layer(),
        Call::Fill(path) => canvas.fill(path),
        Call::Stroke(style, path) => canvas.stroke(style, path),
    };
}

fn inflated(rect: Rect, by: f32) -> Rect {
    Rect::new(rect.x0 - by, rect.y0 - by, rect.x1 + by, rect.y1 + by)
}

proptest! {
    #[test]
    fn a_program_means_the_same_to_both(calls in prop::collection::vec(call(), 0..40)) {
        let (mut canvas, mut recorder) = (Canvas::new(300.0, 200.0), Recorder::default());
        for call in &calls {
            if recorder.takes(call) {
                recorder.call(call);
                draw(&mut canvas, call);
            }
        }
        let drawn = canvas.finish().unwrap();
        let recorded = vello::encode(&recorder.encoding, 300.0, 200.0).unwrap();
        prop_assert_eq!(drawn.stream.tags(), recorded.stream.tags());
        prop_assert_eq!(drawn.notes.len(), recorded.notes.len());
        prop_assert_eq!(drawn.origins.len(), drawn.stream.len());
        prop_assert_eq!(recorded.origins.len(), recorded.stream.len());
        let opened = drawn.stream.tags().iter().filter(|tag| tag.name().starts_with("begin"));
        prop_assert_eq!(2 * opened.count(), drawn.stream.marker_count());
        for (drawn, recorded) in drawn.stream.rects().iter().zip(recorded.stream.rects()) {
            prop_assert!(recorded.contains(*drawn), "{recorded:?} {drawn:?}");
            let slack = inflated(*drawn, 0.2501);
            prop_assert!(drawn.is_empty() || slack.contains(*recorded), "{drawn:?} {recorded:?}");
        }
    }
}
