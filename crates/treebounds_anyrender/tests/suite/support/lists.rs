//! Random display lists: all commands, nested, with degenerate transforms.
//!
//! Coordinates lie on whole pixels as often as not, and clips are often as large as what is in them, so that
//! every rule has something to do.

use anyrender::filters::FilterEffect;
use anyrender::recording::Scene;
use anyrender::{Filter, Glyph, Paint, PaintScene};
use kurbo::{Affine, BezPath, Cap, Circle, Join, Point, Rect, RoundedRect, Shape, Stroke, Vec2};
use peniko::color::{AlphaColor, Srgb};
use peniko::{
    BlendMode, Blob, Color, Compose, Extend, Fill, FontData, Gradient, ImageAlphaType, ImageBrush,
    ImageData, ImageFormat, ImageQuality, ImageSampler, Mix, StyleRef,
};
use std::sync::{Arc, OnceLock};

/// The size of the pictures. No multiple of a tile.
pub const SIZE: [u32; 2] = [70, 50];

/// The viewport of the pictures.
pub fn viewport() -> Rect {
    Rect::new(0.0, 0.0, f64::from(SIZE[0]), f64::from(SIZE[1]))
}

/// A small generator of numbers that are random enough (xorshift64*).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        let mut dice = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        (0..4).for_each(|_| _ = dice.next());
        dice
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub fn unit(&mut self) -> f64 {
        self.next() as f64 / (1_u64 << 53) as f64
    }

    pub fn from<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize].clone()
    }

    fn coordinate(&mut self, most: u32) -> f64 {
        let v = self.unit() * (f64::from(most) + 24.0) - 12.0;
        match self.below(8) {
            0..=4 => v.round(),
            5 => (v * 2.0).round() / 2.0,
            6 => v,
            _ => (v / 4.0).round() * 4.0,
        }
    }

    fn point(&mut self) -> Point {
        Point::new(self.coordinate(SIZE[0]), self.coordinate(SIZE[1]))
    }

    fn rect(&mut self) -> Rect {
        match self.below(12) {
            0 => viewport(),
            1 => Rect::new(-1e5, -1e5, 1e5, 1e5),
            2 => viewport().inset(-8.0),
            3 => Rect::from_origin_size(self.point(), (0.0, 9.0)),
            _ => Rect::from_points(self.point(), self.point()),
        }
    }
}

/// The number of lists: `TREEBOUNDS_LISTS`, or 3,000.
pub fn count() -> u64 {
    std::env::var("TREEBOUNDS_LISTS").ok().map_or(3_000, |lists| lists.parse().unwrap())
}

/// A random list.
pub fn list(seed: u64) -> Scene {
    let mut dice = Dice::new(seed);
    let mut scene = Scene::new();
    let mut budget = 3 + dice.below(24) as usize;
    let depth = 1 + dice.below(6) as usize;
    // Some lists have no filters, so that other rules are not held off.
    let effects = dice.chance(40);
    group(&mut scene, &mut dice, &mut budget, depth, effects);
    scene
}

fn group(scene: &mut Scene, dice: &mut Dice, budget: &mut usize, depth: usize, effects: bool) {
    let count = 1 + dice.below(7);
    for _ in 0..count {
        if *budget == 0 {
            return;
        }
        *budget -= 1;
        if depth > 0 && dice.chance(45) {
            push(scene, dice, effects);
            if !dice.chance(6) {
                group(scene, dice, budget, depth - 1, effects);
            }
            scene.pop_layer();
        } else if depth > 0 && dice.chance(5) {
            let mut inner = Scene::new();
            group(&mut inner, dice, budget, depth - 1, effects);
            scene.append_scene(inner, transform(dice));
        } else {
            draw(scene, dice);
        }
    }
}

fn push(scene: &mut Scene, dice: &mut Dice, effects: bool) {
    let (fill, transform, clip) = (fill_rule(dice), transform(dice), clip(dice));
    if dice.chance(55) {
        return scene.push_clip_layer(fill, transform, &clip);
    }
    let blend = if dice.chance(70) { BlendMode::default() } else { blend(dice) };
    let alpha = dice.from(&[1.0, 1.0, 0.5, 0.3, 0.0, 0.996]);
    // A blur a thousand pixels wide takes seconds.
    let effects = effects && transform.determinant().abs() < 10.0;
    let effect = |dice: &mut Dice, percent| {
        (effects && dice.chance(percent)).then(|| Arc::new(filter(dice, transform)))
    };
    let (filter, backdrop) = (effect(dice, 50), effect(dice, 10));
    scene.push_layer(fill, blend, alpha, transform, &clip, filter, backdrop);
}

fn draw(scene: &mut Scene, dice: &mut Dice) {
    let at = transform(dice);
    let brush = brush(dice);
    let brush_transform = dice.chance(20).then(|| transform(dice));
    match dice.below(20) {
        0..=9 => {
            let rect = dice.rect();
            scene.fill(fill_rule(dice), at, &brush, brush_transform, &rect);
        }
        10..=13 => {
            let shape = shape(dice);
            scene.fill(fill_rule(dice), at, &brush, brush_transform, &shape);
        }
        14..=15 => {
            let shape = shape(dice);
            scene.stroke(&stroke(dice), at, &brush, brush_transform, &shape);
        }
        16..=17 => {
            // anyrender_vello_cpu 0.18 paints glyphs with the brush transform of the draw before them, which shows with
            // every brush that is not solid: there, no draw could go.
            let brush = Paint::Solid(color(dice));
            glyphs(scene, dice, at, &brush);
        }
        _ => {
            let (radius, deviation) = (dice.from(&[0.0, 3.0, 9.5]), dice.from(&[0.5, 2.0, 6.0]));
            scene.draw_box_shadow(
                at,
                dice.rect().intersect(viewport().inset(-90.0)),
                color(dice),
                radius,
                deviation,
            );
        }
    }
}

fn glyphs(scene: &mut Scene, dice: &mut Dice, at: Affine, brush: &Paint) {
    let origin = dice.point();
    let count = 1 + dice.below(4);
    let run: Vec<_> = (0..count)
        .map(|i| Glyph {
            id: 36 + dice.below(60) as u32,
            x: (origin.x + 9.0 * i as f64) as f32,
            y: origin.y as f32,
        })
        .collect();
    let turned = dice.chance(10).then(|| Affine::skew(0.3, 0.0));
    let embolden = if dice.chance(10) { Vec2::new(0.7, 0.7) } else { Vec2::ZERO };
    let (size, hint) = (dice.from(&[8.0, 13.5, 40.0]), dice.chance(20));
    let outline = stroke(dice);
    let style: StyleRef<'_> =
        if dice.chance(85) { Fill::NonZero.into() } else { (&outline).into() };
    let run = run.into_iter();
    scene.draw_glyphs(font(), size, hint, &[], embolden, style, brush, 1.0, at, turned, run);
}

fn fill_rule(dice: &mut Dice) -> Fill {
    if dice.chance(80) { Fill::NonZero } else { Fill::EvenOdd }
}

fn transform(dice: &mut Dice) -> Affine {
    match dice.below(24) {
        0 => Affine::translate((dice.coordinate(9), dice.coordinate(9))),
        1 => Affine::translate((0.25, 0.75)),
        2 => Affine::scale(2.0),
        3 => Affine::new([0.0, 1.0, -1.0, 0.0, 50.0, 0.0]),
        4 => Affine::rotate(0.4),
        5 => Affine::new([1.0, 0.3, -0.2, 0.8, 3.0, -2.0]),
        6 => Affine::scale_non_uniform(-1.0, 1.0).then_translate(Vec2::new(70.0, 0.0)),
        7 => match dice.below(5) {
            0 => Affine::scale(0.0),
            1 => Affine::scale_non_uniform(1.0, 0.0),
            2 => Affine::new([1.0, 1.0, 1.0, 1.0, 0.0, 0.0]),
            3 => Affine::scale(1e-6),
            _ => Affine::scale(500.0),
        },
        _ => Affine::IDENTITY,
    }
}

fn clip(dice: &mut Dice) -> BezPath {
    match dice.below(20) {
        0 => BezPath::new(),
        1..=4 => shape(dice),
        5..=8 => rounded(dice),
        _ => dice.rect().to_path(0.1),
    }
}

fn rounded(dice: &mut Dice) -> BezPath {
    let radius = dice.from(&[0.0, 2.0, 8.0]);
    RoundedRect::from_rect(dice.rect(), radius).to_path(0.1)
}

fn shape(dice: &mut Dice) -> BezPath {
    match dice.below(5) {
        0 => Circle::new(dice.point(), 3.0 + 30.0 * dice.unit()).to_path(0.1),
        1 => rounded(dice),
        _ => wild_path(dice),
    }
}

fn wild_path(dice: &mut Dice) -> BezPath {
    let mut path = BezPath::new();
    path.move_to(dice.point());
    for _ in 0..1 + dice.below(5) {
        match dice.below(8) {
            0 => {
                path.close_path();
                path.move_to(dice.point());
            }
            1 => path.quad_to(dice.point(), dice.point()),
            2 => path.curve_to(dice.point(), dice.point(), dice.point()),
            _ => path.line_to(dice.point()),
        }
    }
    if dice.chance(60) {
        path.close_path();
    }
    path
}

fn stroke(dice: &mut Dice) -> Stroke {
    let style = Stroke::new(dice.from(&[0.5, 1.0, 3.0, 11.0]))
        .with_join(dice.from(&[Join::Bevel, Join::Miter, Join::Round]))
        .with_start_cap(dice.from(&[Cap::Butt, Cap::Square, Cap::Round]))
        .with_end_cap(dice.from(&[Cap::Butt, Cap::Square, Cap::Round]));
    if dice.chance(25) { style.with_dashes(1.0, [4.0, 3.0]) } else { style }
}

fn color(dice: &mut Dice) -> Color {
    let channel = |dice: &mut Dice| dice.below(256) as u8;
    let alpha = dice.from(&[255, 255, 255, 128, 40, 0, 254]);
    Color::from_rgba8(channel(dice), channel(dice), channel(dice), alpha)
}

fn brush(dice: &mut Dice) -> Paint {
    match dice.below(10) {
        0 => {
            let line = Gradient::new_linear(dice.point(), dice.point());
            Paint::Gradient(line.with_stops([color(dice), color(dice)]).with_extend(extend(dice)))
        }
        1 => {
            let disc = Gradient::new_radial(dice.point(), 20.0);
            Paint::Gradient(disc.with_stops([color(dice), color(dice)]))
        }
        2 | 3 => Paint::Image(ImageBrush {
            image: image(dice.chance(50)).clone(),
            sampler: ImageSampler {
                x_extend: extend(dice),
                y_extend: extend(dice),
                quality: dice.from(&[
                    ImageQuality::Low,
                    ImageQuality::Low,
                    ImageQuality::Medium,
                    ImageQuality::High,
                ]),
                alpha: dice.from(&[1.0, 1.0, 0.5]),
            },
        }),
        _ => Paint::Solid(color(dice)),
    }
}

fn extend(dice: &mut Dice) -> Extend {
    dice.from(&[Extend::Pad, Extend::Repeat, Extend::Reflect])
}

fn image(opaque: bool) -> &'static ImageData {
    static IMAGES: OnceLock<[ImageData; 2]> = OnceLock::new();
    let make = |opaque: bool| {
        let pixel = |i: u32| {
            let alpha = if opaque { 255 } else { (40 * i % 256) as u8 };
            [(i * 37 % 256) as u8, (i * 91 % 256) as u8, (255 - i % 256) as u8, alpha]
        };
        ImageData {
            data: Blob::from((0..8 * 6).flat_map(pixel).collect::<Vec<_>>()),
            format: ImageFormat::Rgba8,
            alpha_type: ImageAlphaType::Alpha,
            width: 8,
            height: 6,
        }
    };
    &IMAGES.get_or_init(|| [make(false), make(true)])[usize::from(opaque)]
}

/// A font with outlines.
pub fn font() -> &'static FontData {
    static FONT: OnceLock<FontData> = OnceLock::new();
    FONT.get_or_init(|| {
        let path = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
        let path = std::env::var("TREEBOUNDS_FONT").unwrap_or_else(|_| path.to_owned());
        let bytes = std::fs::read(&path).unwrap_or_else(|error| {
            panic!("{path}: {error}. apt-get install fonts-dejavu-core, or name a font in TREEBOUNDS_FONT")
        });
        FontData::new(Blob::from(bytes), 0)
    })
}

fn blend(dice: &mut Dice) -> BlendMode {
    let mix = dice.from(&[
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
    let compose = dice.from(&[
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

/// One effect, or a chain of up to three.
fn filter(dice: &mut Dice, transform: Affine) -> Filter {
    let count = dice.from(&[1, 1, 1, 2, 2, 3]);
    // `vello_cpu` 0.3 paints content unmoved that an offset moves left or up by more than the size of its picture, so such offsets
    // are no larger than a tile.
    let [a, b, c, d, ..] = transform.as_coeffs();
    let moves = a > 0.0 && b == 0.0 && c == 0.0 && d > 0.0;
    Filter::linear_list((0..count).map(|_| effect(dice, moves)))
}

fn effect(dice: &mut Dice, moves: bool) -> FilterEffect {
    let gray: AlphaColor<Srgb> = color(dice);
    let deviation = dice.from(&[0.4, 1.0, 2.0, 2.0, 3.5, 6.0]);
    match dice.below(8) {
        0 => FilterEffect::Flood(gray),
        1 if moves => FilterEffect::Offset(Vec2::new(7.0, -2.0)),
        2 if moves => FilterEffect::Offset(Vec2::new(-1.5, 12.0)),
        3 if moves => FilterEffect::drop_shadow(3.0, 2.0, deviation, gray),
        4 if moves => FilterEffect::drop_shadow(-2.0, 14.0, deviation, gray),
        1..=4 => FilterEffect::drop_shadow(0.0, 0.0, deviation, gray),
        _ => FilterEffect::blur(deviation),
    }
}
