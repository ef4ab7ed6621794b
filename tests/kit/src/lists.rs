//! Random display lists: all commands, nested, with degenerate transforms.
//!
//! About half of the coordinates are whole pixels, and clips are often as large as their contents, so that every rule is
//! exercised.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a mistake in a test ends it")]

use crate::streams::shapes::{WALK, Walk};
use crate::{Rng, font};
use anyrender::filters::FilterEffect;
use anyrender::recording::Scene;
use anyrender::{Filter, Glyph, Paint, PaintScene};
use kurbo::{Affine, BezPath, Cap, Circle, Join, Point, Rect, RoundedRect, Shape, Stroke, Vec2};
use peniko::{
    BlendMode, Blob, Color, Compose, Extend, Fill, Gradient, ImageAlphaType, ImageBrush, ImageData,
    ImageFormat, ImageQuality, ImageSampler, Mix, StyleRef,
};
use std::sync::{Arc, OnceLock};
use treebounds_core::Role;

/// The size of the pictures, which is not a multiple of a tile.
pub const SIZE: [u32; 2] = [70, 50];

/// Returns the viewport of the pictures.
pub fn viewport() -> Rect {
    Rect::new(0.0, 0.0, f64::from(SIZE[0]), f64::from(SIZE[1]))
}

fn coordinate(rng: &mut Rng, most: u32) -> f64 {
    let v = rng.unit() * (f64::from(most) + 24.0) - 12.0;
    match rng.below(8) {
        0..=4 => v.round(),
        5 => (v * 2.0).round() / 2.0,
        6 => (v / 4.0).round() * 4.0,
        _ => v,
    }
}

fn point(rng: &mut Rng) -> Point {
    Point::new(coordinate(rng, SIZE[0]), coordinate(rng, SIZE[1]))
}

fn rect(rng: &mut Rng) -> Rect {
    match rng.below(12) {
        0 => viewport(),
        1 => Rect::new(-1e5, -1e5, 1e5, 1e5),
        2 => viewport().inset(-8.0),
        3 => Rect::from_origin_size(point(rng), (0.0, 9.0)),
        _ => Rect::from_points(point(rng), point(rng)),
    }
}

/// Returns the number of lists: `TREEBOUNDS_LISTS`, or 3,000.
pub fn count() -> u64 {
    std::env::var("TREEBOUNDS_LISTS").ok().map_or(3_000, |lists| lists.parse().unwrap())
}

/// Returns a random list. It follows a random walk, in which each begin is a layer or, now and
/// then, an appended scene.
pub fn list(seed: u64) -> Scene {
    let mut rng = Rng::new(seed);
    let n = 3 + rng.below(40) as usize;
    let deepest = 1 + rng.below(6) as usize;
    let walk = Walk { draws: 40 + rng.below(30), deepest, is_balanced: true, ..WALK };
    // Some lists have no filters, because filters disable other rules.
    let effects = rng.percent(40);
    // For each open appended scene, the enclosing scene and the transform; `None` for a layer.
    let (mut scene, mut open) = (Scene::new(), Vec::<Option<(Scene, Affine)>>::new());
    for role in walk.roles(&mut rng, n) {
        match role {
            Role::Draw => draw(&mut scene, &mut rng),
            Role::Begin if rng.percent(10) => {
                open.push(Some((std::mem::take(&mut scene), transform(&mut rng))));
            }
            Role::Begin => {
                let outer = open.iter().flatten();
                let around = outer.fold(Affine::IDENTITY, |all, (_, transform)| all * *transform);
                push(&mut scene, &mut rng, around, effects);
                open.push(None);
            }
            Role::End => match open.pop().flatten() {
                None => scene.pop_layer(),
                Some((outer, transform)) => {
                    let inner = std::mem::replace(&mut scene, outer);
                    scene.append_scene(inner, transform);
                }
            },
        }
    }
    scene
}

fn push(scene: &mut Scene, rng: &mut Rng, around: Affine, effects: bool) {
    let (fill, transform, clip) = (fill_rule(rng), transform(rng), clip(rng));
    if rng.percent(55) {
        return scene.push_clip_layer(fill, transform, &clip);
    }
    let blend = if rng.percent(70) { BlendMode::default() } else { blend(rng) };
    let alpha = *rng.pick(&[1.0, 1.0, 0.5, 0.3, 0.0, 0.996]);
    // A blur a thousand pixels wide takes seconds.
    let whole = around * transform;
    let effects = effects && whole.determinant().abs() < 10.0;
    let effect = |rng: &mut Rng, percent| {
        (effects && rng.percent(percent)).then(|| Arc::new(filter(rng, whole)))
    };
    let (filter, backdrop) = (effect(rng, 50), effect(rng, 10));
    scene.push_layer(fill, blend, alpha, transform, &clip, filter, backdrop);
}

fn draw(scene: &mut Scene, rng: &mut Rng) {
    let at = transform(rng);
    let brush = brush(rng);
    let brush_transform = rng.percent(20).then(|| transform(rng));
    match rng.below(20) {
        0..=9 => {
            let rect = rect(rng);
            scene.fill(fill_rule(rng), at, &brush, brush_transform, &rect);
        }
        10..=13 => {
            let shape = shape(rng);
            scene.fill(fill_rule(rng), at, &brush, brush_transform, &shape);
        }
        14..=15 => {
            let shape = shape(rng);
            scene.stroke(&stroke(rng), at, &brush, brush_transform, &shape);
        }
        16..=17 => {
            // anyrender_vello_cpu 0.18 paints glyphs with the brush transform of the previous draw, which shows with every
            // non-solid brush. With such brushes, no draw could be removed.
            let brush = Paint::Solid(color(rng));
            glyphs(scene, rng, at, &brush);
        }
        _ => {
            let (radius, deviation) = (*rng.pick(&[0.0, 3.0, 9.5]), *rng.pick(&[0.5, 2.0, 6.0]));
            scene.draw_box_shadow(
                at,
                rect(rng).intersect(viewport().inset(-90.0)),
                color(rng),
                radius,
                deviation,
            );
        }
    }
}

fn glyphs(scene: &mut Scene, rng: &mut Rng, at: Affine, brush: &Paint) {
    let origin = point(rng);
    let count = 1 + rng.below(4);
    let run: Vec<_> = (0..count)
        .map(|i| Glyph {
            id: 36 + rng.below(60),
            x: (origin.x + 9.0 * f64::from(i)) as f32,
            y: origin.y as f32,
        })
        .collect();
    let turned = rng.percent(10).then(|| Affine::skew(0.3, 0.0));
    let embolden = if rng.percent(10) { Vec2::new(0.7, 0.7) } else { Vec2::ZERO };
    let (size, hint) = (*rng.pick(&[8.0, 13.5, 40.0]), rng.percent(20));
    let outline = stroke(rng);
    let style: StyleRef<'_> =
        if rng.percent(85) { Fill::NonZero.into() } else { (&outline).into() };
    let run = run.into_iter();
    scene.draw_glyphs(font(), size, hint, &[], embolden, style, brush, 1.0, at, turned, run);
}

fn fill_rule(rng: &mut Rng) -> Fill {
    if rng.percent(80) { Fill::NonZero } else { Fill::EvenOdd }
}

fn transform(rng: &mut Rng) -> Affine {
    match rng.below(24) {
        0 => Affine::translate((coordinate(rng, 9), coordinate(rng, 9))),
        1 => Affine::translate((0.25, 0.75)),
        2 => Affine::scale(2.0),
        3 => Affine::new([0.0, 1.0, -1.0, 0.0, 50.0, 0.0]),
        4 => Affine::rotate(0.4),
        5 => Affine::new([1.0, 0.3, -0.2, 0.8, 3.0, -2.0]),
        6 => Affine::scale_non_uniform(-1.0, 1.0).then_translate(Vec2::new(70.0, 0.0)),
        7 => match rng.below(5) {
            0 => Affine::scale(0.0),
            1 => Affine::scale_non_uniform(1.0, 0.0),
            2 => Affine::new([1.0, 1.0, 1.0, 1.0, 0.0, 0.0]),
            3 => Affine::scale(1e-6),
            _ => Affine::scale(500.0),
        },
        _ => Affine::IDENTITY,
    }
}

fn clip(rng: &mut Rng) -> BezPath {
    match rng.below(20) {
        0 => BezPath::new(),
        1..=4 => shape(rng),
        5..=8 => rounded(rng),
        _ => rect(rng).to_path(0.1),
    }
}

fn rounded(rng: &mut Rng) -> BezPath {
    let radius = *rng.pick(&[0.0, 2.0, 8.0]);
    RoundedRect::from_rect(rect(rng), radius).to_path(0.1)
}

fn shape(rng: &mut Rng) -> BezPath {
    match rng.below(5) {
        0 => Circle::new(point(rng), 3.0 + 30.0 * rng.unit()).to_path(0.1),
        1 => rounded(rng),
        _ => wild_path(rng),
    }
}

fn wild_path(rng: &mut Rng) -> BezPath {
    let mut path = BezPath::new();
    path.move_to(point(rng));
    for _ in 0..1 + rng.below(5) {
        match rng.below(8) {
            0 => {
                path.close_path();
                path.move_to(point(rng));
            }
            1 => path.quad_to(point(rng), point(rng)),
            2 => path.curve_to(point(rng), point(rng), point(rng)),
            _ => path.line_to(point(rng)),
        }
    }
    if rng.percent(60) {
        path.close_path();
    }
    path
}

fn stroke(rng: &mut Rng) -> Stroke {
    let style = Stroke::new(*rng.pick(&[0.5, 1.0, 3.0, 11.0]))
        .with_join(*rng.pick(&[Join::Bevel, Join::Miter, Join::Round]))
        .with_start_cap(*rng.pick(&[Cap::Butt, Cap::Square, Cap::Round]))
        .with_end_cap(*rng.pick(&[Cap::Butt, Cap::Square, Cap::Round]));
    if rng.percent(25) { style.with_dashes(1.0, [4.0, 3.0]) } else { style }
}

fn color(rng: &mut Rng) -> Color {
    let alpha = *rng.pick(&[255, 255, 255, 128, 40, 0, 254]);
    Color::from_rgba8(rng.byte(), rng.byte(), rng.byte(), alpha)
}

fn brush(rng: &mut Rng) -> Paint {
    match rng.below(10) {
        0 => {
            let line = Gradient::new_linear(point(rng), point(rng));
            Paint::Gradient(line.with_stops([color(rng), color(rng)]).with_extend(extend(rng)))
        }
        1 => {
            let disc = Gradient::new_radial(point(rng), 20.0);
            Paint::Gradient(disc.with_stops([color(rng), color(rng)]))
        }
        2 | 3 => Paint::Image(ImageBrush {
            image: image(rng.percent(50)).clone(),
            sampler: ImageSampler {
                x_extend: extend(rng),
                y_extend: extend(rng),
                quality: *rng.pick(&[
                    ImageQuality::Low,
                    ImageQuality::Low,
                    ImageQuality::Medium,
                    ImageQuality::High,
                ]),
                alpha: *rng.pick(&[1.0, 1.0, 0.5]),
            },
        }),
        _ => Paint::Solid(color(rng)),
    }
}

fn extend(rng: &mut Rng) -> Extend {
    *rng.pick(&[Extend::Pad, Extend::Repeat, Extend::Reflect])
}

/// Creates an image. `pixel` returns red, green, blue and opacity by column and row.
pub fn image_of([width, height]: [u32; 2], pixel: impl Fn(u32, u32) -> [u8; 4]) -> ImageData {
    let pixels = (0..width * height).flat_map(|at| pixel(at % width, at / width));
    ImageData {
        data: Blob::from(pixels.collect::<Vec<_>>()),
        format: ImageFormat::Rgba8,
        alpha_type: ImageAlphaType::Alpha,
        width,
        height,
    }
}

fn image(opaque: bool) -> &'static ImageData {
    static IMAGES: OnceLock<[ImageData; 2]> = OnceLock::new();
    let make = |opaque: bool| {
        image_of([8, 6], |x, y| {
            let i = 8 * y + x;
            let alpha = if opaque { 255 } else { 40 * i };
            [37 * i, 91 * i, 255 - i, alpha].map(|channel| channel as u8)
        })
    };
    &IMAGES.get_or_init(|| [make(false), make(true)])[usize::from(opaque)]
}

fn blend(rng: &mut Rng) -> BlendMode {
    let mix = *rng.pick(&[
        Mix::Normal,
        Mix::Normal,
        Mix::Multiply,
        Mix::Screen,
        Mix::Overlay,
        Mix::Darken,
        Mix::ColorDodge,
        Mix::HardLight,
        Mix::Difference,
        Mix::Luminosity,
    ]);
    let compose = *rng.pick(&[
        Compose::SrcOver,
        Compose::SrcOver,
        Compose::Clear,
        Compose::Copy,
        Compose::Dest,
        Compose::DestOver,
        Compose::SrcIn,
        Compose::DestIn,
        Compose::SrcOut,
        Compose::DestOut,
        Compose::SrcAtop,
        Compose::DestAtop,
        Compose::Xor,
        Compose::Plus,
        Compose::PlusLighter,
    ]);
    BlendMode { mix, compose }
}

/// Returns one effect, or a chain of up to three.
fn filter(rng: &mut Rng, transform: Affine) -> Filter {
    let count = *rng.pick(&[1, 1, 1, 2, 2, 3]);
    // `vello_cpu` 0.3 paints content unmoved if an offset moves it left or up by more than the size of its picture, so these
    // offsets are at most a tile.
    let [a, b, c, d, ..] = transform.as_coeffs();
    let moves = a > 0.0 && b == 0.0 && c == 0.0 && d > 0.0;
    Filter::linear_list((0..count).map(|_| effect(rng, moves)))
}

fn effect(rng: &mut Rng, moves: bool) -> FilterEffect {
    let gray = color(rng);
    let deviation = *rng.pick(&[0.4, 1.0, 2.0, 2.0, 3.5, 6.0]);
    match rng.below(8) {
        0 => FilterEffect::Flood(gray),
        1 if moves => FilterEffect::Offset(Vec2::new(7.0, -2.0)),
        2 if moves => FilterEffect::Offset(Vec2::new(-1.5, 12.0)),
        3 if moves => FilterEffect::drop_shadow(3.0, 2.0, deviation, gray),
        4 if moves => FilterEffect::drop_shadow(-2.0, 14.0, deviation, gray),
        1..=4 => FilterEffect::drop_shadow(0.0, 0.0, deviation, gray),
        _ => FilterEffect::blur(deviation),
    }
}
