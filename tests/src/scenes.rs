//! Scenes built in code, for tests, examples and benchmarks.
//!
//! Vello's own clip stage renders [`inside_limits`] correctly. The functions with a [`Painter`] can also be painted by other
//! renderers, and scale to any size.

use kurbo::{Affine, BezPath, Circle, Point, Rect, RoundedRect, Shape, Stroke, Triangle};
use peniko::{
    BlendMode, Blob, Color, Compose, Fill, FontData, Gradient, ImageAlphaType, ImageBrush,
    ImageData, ImageFormat, Mix,
};
use vello::{Glyph, Scene};

/// The side of the test scenes, in pixels.
pub const SIDE: u32 = 256;

/// A scene with a name.
#[derive(Clone)]
pub struct Example {
    /// The name of the scene.
    pub name: &'static str,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The scene to paint.
    pub scene: Scene,
}

/// A renderer that can paint the scenes, so that renderers can be compared.
pub trait Painter {
    /// Fills a path with the nonzero rule.
    fn fill(&mut self, path: &BezPath, color: Color);
    /// Opens a layer that is clipped to a path.
    fn push(&mut self, path: &BezPath, layer: Layer);
    /// Closes the innermost open layer.
    fn pop(&mut self);
}

/// The effect of a layer, in addition to clipping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Layer {
    /// No further effect.
    Clip,
    /// Blending with an opacity.
    Blend(BlendMode, f32),
}

impl Layer {
    /// Creates a layer with this opacity.
    pub fn opacity(alpha: f32) -> Self {
        Self::Blend(BlendMode::new(Mix::Normal, Compose::SrcOver), alpha)
    }
}

impl Painter for Scene {
    fn fill(&mut self, path: &BezPath, color: Color) {
        Scene::fill(self, Fill::NonZero, Affine::IDENTITY, color, None, path);
    }

    fn push(&mut self, path: &BezPath, layer: Layer) {
        match layer {
            Layer::Clip => self.push_clip_layer(Fill::NonZero, Affine::IDENTITY, path),
            Layer::Blend(mode, alpha) => {
                self.push_layer(Fill::NonZero, mode, alpha, Affine::IDENTITY, path);
            }
        }
    }

    fn pop(&mut self) {
        self.pop_layer();
    }
}

fn path(shape: impl Shape) -> BezPath {
    shape.to_path(0.05)
}

fn rect(x: f64, y: f64, width: f64, height: f64) -> BezPath {
    path(Rect::new(x, y, x + width, y + height))
}

/// Returns one of many distinguishable colours.
fn color(n: u32) -> Color {
    let part = |shift: u32| (n.wrapping_mul(0x9e37_79b1) >> shift) as u8;
    Color::from_rgba8(part(24) | 0x20, part(16), part(8), 0xff)
}

/// Returns small scenes that Vello's own clip stage renders correctly. `font` is for the text.
pub fn inside_limits(font: &FontData) -> Vec<Example> {
    let small = |name, scene| Example { name, width: SIDE, height: SIDE, scene };
    vec![
        small("empty", Scene::new()),
        small("fills and strokes", fills_and_strokes()),
        small("gradients", gradients()),
        small("images", images()),
        small("text", text(font)),
        small("blurred rectangles", blurred()),
        small("many clips", painted(|scene| many_clips(scene, SIDE, 1500, 1))),
        small("deep clips", painted(|scene| deep_clips(scene, 100))),
        small("clips of all sizes", painted(clips_of_all_sizes)),
        small("clip in blend in clip", painted(clip_in_blend_in_clip)),
        small("mixes", painted(mixes)),
        small("compositing operators", painted(operators)),
        small("luminance masks", luminance_masks()),
        small("groups larger than their content", painted(|scene| groups(scene, SIDE, SIDE, 4))),
        small("six layers on a tile", painted(|scene| groups(scene, SIDE, SIDE, 6))),
        small("many small layers", painted(|scene| small_layers(scene, SIDE, SIDE, 12.0, 1.0))),
        small("layers outside the target", painted(outside)),
        Example { width: 250, height: 131, ..small("odd size", odd_size()) },
    ]
}

/// Builds a scene from a paint function.
pub fn painted(paint: impl FnOnce(&mut Scene)) -> Scene {
    let mut scene = Scene::new();
    paint(&mut scene);
    scene
}

fn fills_and_strokes() -> Scene {
    let mut scene = Scene::new();
    let star = (0..5).map(|k| {
        let angle = f64::from(k) * 2.4 * std::f64::consts::PI / 3.0;
        Point::new(80.0 + 60.0 * angle.sin(), 80.0 - 60.0 * angle.cos())
    });
    let mut outline = BezPath::new();
    for (k, point) in star.enumerate() {
        if k == 0 { outline.move_to(point) } else { outline.line_to(point) }
    }
    outline.close_path();
    scene.fill(Fill::EvenOdd, Affine::IDENTITY, color(1), None, &outline);
    scene.fill(Fill::NonZero, Affine::translate((110.0, 90.0)), color(2), None, &outline);
    let turned = Affine::rotate(0.3) * Affine::translate((120.0, 10.0));
    scene.stroke(&Stroke::new(7.0), turned, color(3), None, &Circle::new((40.0, 40.0), 33.0));
    let dashed = Stroke::new(3.0).with_dashes(2.0, [9.0, 5.0]);
    scene.stroke(
        &dashed,
        Affine::IDENTITY,
        color(4),
        None,
        &RoundedRect::new(8.0, 150.0, 120.0, 248.0, 14.0),
    );
    scene
}

fn gradients() -> Scene {
    let mut scene = Scene::new();
    let stops = [color(5), color(6), color(7)];
    let squares = [(0.0, 0.0), (128.0, 0.0), (0.0, 128.0)];
    let brushes = [
        Gradient::new_linear((10.0, 10.0), (110.0, 90.0)).with_stops(stops),
        Gradient::new_radial((64.0, 64.0), 60.0).with_stops(stops),
        Gradient::new_sweep((64.0, 64.0), 0.2, 5.9).with_stops(stops),
    ];
    for (place, brush) in squares.into_iter().zip(&brushes) {
        let shape = Circle::new((64.0, 64.0), 60.0);
        scene.push_layer(
            Fill::NonZero,
            Mix::Multiply,
            0.8,
            Affine::translate(place),
            &Rect::new(0.0, 0.0, 128.0, 128.0),
        );
        scene.fill(Fill::NonZero, Affine::translate(place), brush, None, &shape);
        scene.pop_layer();
    }
    let slanted = Some(Affine::skew(0.4, 0.0));
    scene.stroke(
        &Stroke::new(12.0),
        Affine::translate((150.0, 150.0)),
        &brushes[0],
        slanted,
        &Rect::new(5.0, 5.0, 90.0, 90.0),
    );
    scene
}

/// Returns a checkered image that is `side` pixels wide and high.
fn checks(side: u32, alpha: u8) -> ImageBrush {
    let pixels = (0..side * side).flat_map(|at| {
        let (x, y) = (at % side, at / side);
        let dark = (x / 4 + y / 4).is_multiple_of(2);
        [x as u8 * 3, if dark { 40 } else { 200 }, y as u8 * 3, alpha]
    });
    ImageBrush::new(ImageData {
        data: Blob::from(pixels.collect::<Vec<u8>>()),
        format: ImageFormat::Rgba8,
        alpha_type: ImageAlphaType::Alpha,
        width: side,
        height: side,
    })
}

fn images() -> Scene {
    let mut scene = Scene::new();
    scene.draw_image(&checks(64, 255), Affine::translate((10.0, 10.0)));
    scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &Circle::new((170.0, 80.0), 60.0));
    scene.draw_image(&checks(48, 160), Affine::translate((120.0, 20.0)) * Affine::scale(2.5));
    scene.pop_layer();
    scene.draw_image(
        &checks(32, 255),
        Affine::translate((90.0, 150.0)) * Affine::rotate(0.4) * Affine::scale(2.0),
    );
    scene
}

fn text(font: &FontData) -> Scene {
    let mut scene = Scene::new();
    for (row, size) in [14.0_f32, 22.0, 34.0].into_iter().enumerate() {
        let y = 50.0 + 70.0 * row as f64;
        scene.push_layer(
            Fill::NonZero,
            Mix::Normal,
            0.7,
            Affine::IDENTITY,
            &Rect::new(8.0, y - 36.0, 240.0, y + 12.0),
        );
        let glyphs = (0..10).map(|k| Glyph { id: 36 + k, x: k as f32 * size * 0.7, y: 0.0 });
        scene
            .draw_glyphs(font)
            .font_size(size)
            .hint(row == 0)
            .transform(Affine::translate((10.0, y)))
            .brush(color(row as u32 + 8))
            .draw(Fill::NonZero, glyphs);
        scene.pop_layer();
    }
    scene
}

fn blurred() -> Scene {
    let mut scene = Scene::new();
    scene.push_layer(
        Fill::NonZero,
        Mix::Normal,
        0.6,
        Affine::IDENTITY,
        &Rect::new(0.0, 0.0, 256.0, 256.0),
    );
    scene.draw_blurred_rounded_rect(
        Affine::IDENTITY,
        Rect::new(40.0, 40.0, 180.0, 120.0),
        color(11),
        12.0,
        9.0,
    );
    scene.pop_layer();
    scene.draw_blurred_rounded_rect(
        Affine::rotate(0.2),
        Rect::new(90.0, 130.0, 230.0, 180.0),
        color(12),
        4.0,
        5.0,
    );
    scene
}

/// Paints `clips` small clips on a square target, each around a fill that overflows it, in groups of a hundred per 64 x 64
/// pixels. That makes two markers per clip and two per group. One of every `of` clips is on the target. The others are far
/// to its right, like the rows of a scrolled list.
pub fn many_clips(painter: &mut impl Painter, side: u32, clips: u32, of: u32) {
    let columns = side / 64;
    for clip in 0..clips {
        let cell = clip / 100 % (columns * columns);
        let (left, top) = (f64::from(cell % columns * 64), f64::from(cell / columns * 64));
        if clip % 100 == 0 {
            painter.push(&rect(left, top, 64.0, 64.0), Layer::opacity(0.9));
        }
        let far = if clip % of == 0 { 0.0 } else { 10_000.0 };
        let (x, y) = (left + f64::from(clip * 7 % 61), top + f64::from(clip * 13 / 61 % 61));
        let x = x + far;
        painter.push(&rect(x, y, 5.0, 4.0), Layer::Clip);
        painter.fill(&rect(x - 3.0, y + 1.0, 11.0, 9.0), color(clip));
        painter.pop();
        if clip % 100 == 99 || clip + 1 == clips {
            painter.pop();
        }
    }
}

/// Paints `depth` nested layers: alternating clips and groups, shrinking by one pixel now and then, with occasional fills,
/// in the top left 64 x 64 pixels.
pub fn deep_clips(painter: &mut impl Painter, depth: u32) {
    let step = (depth / 20).max(1);
    painter.fill(&rect(0.0, 0.0, 64.0, 64.0), color(1));
    for level in 0..depth {
        let inset = f64::from(level / step);
        let layer = if level % 2 == 0 { Layer::Clip } else { Layer::opacity(1.0) };
        painter.push(&rect(inset, inset, 64.0 - 2.0 * inset, 64.0 - 2.0 * inset), layer);
        if level % step == step / 2 {
            painter.fill(&rect(0.0, 0.0, 64.0, 64.0), color(level));
        }
    }
    (0..depth).for_each(|_| painter.pop());
}

/// Paints clips of every shape and place, three deep.
pub fn clips_of_all_sizes(painter: &mut impl Painter) {
    for n in 0..40_u32 {
        let at = Point::new(f64::from(n * 53 % 256), f64::from(n * 31 % 256));
        painter.push(&path(Circle::new(at, 20.0 + f64::from(n))), Layer::Clip);
        let far = Triangle::new(at, (at.x + 90.0, at.y - 20.0), (at.x - 10.0, at.y + 70.0));
        painter.push(&path(far), Layer::Clip);
        painter.push(&rect(at.x - 15.0, at.y - 9.5, 60.5, 40.0), Layer::Clip);
        painter.fill(&rect(0.0, 0.0, 256.0, 256.0), color(n).multiply_alpha(0.7));
        (0..3).for_each(|_| painter.pop());
    }
}

/// Paints a clip in a blend in a clip, and a blend in a clip in a blend, with siblings.
pub fn clip_in_blend_in_clip(painter: &mut impl Painter) {
    painter.fill(&rect(0.0, 0.0, 256.0, 256.0), color(3));
    let multiply = Layer::Blend(BlendMode::new(Mix::Multiply, Compose::SrcOver), 0.8);
    for (n, layers) in [[Layer::Clip, multiply, Layer::Clip], [multiply, Layer::Clip, multiply]]
        .into_iter()
        .enumerate()
    {
        let x = 128.0 * n as f64;
        painter.push(&path(Circle::new((x + 60.0, 120.0), 58.0)), layers[0]);
        painter.fill(&rect(x, 100.0, 80.0, 40.0), color(4));
        painter.push(&rect(x + 20.0, 50.0, 90.0, 150.0), layers[1]);
        painter.fill(&rect(x + 10.0, 60.0, 40.0, 30.0), color(5));
        painter.push(&path(RoundedRect::new(x + 30.0, 90.0, x + 100.0, 180.0, 20.0)), layers[2]);
        painter.fill(&rect(x, 0.0, 128.0, 256.0), color(6));
        painter.pop();
        painter.fill(&rect(x + 40.0, 170.0, 40.0, 60.0), color(7));
        painter.pop();
        painter.pop();
    }
}

/// Paints a grid of cells, with a backdrop over one half of each and a layer over the other.
fn cells(painter: &mut impl Painter, modes: &[BlendMode]) {
    for (n, mode) in modes.iter().enumerate() {
        let (x, y) = ((n % 4) as f64 * 64.0, (n / 4) as f64 * 64.0);
        painter.push(&rect(x + 1.0, y + 1.0, 62.0, 62.0), Layer::opacity(1.0));
        painter.fill(&rect(x, y, 40.0, 64.0), Color::from_rgba8(220, 90, 40, 255));
        painter.push(&rect(x + 4.0, y + 4.0, 56.0, 56.0), Layer::Blend(*mode, 0.75));
        let source = Color::from_rgba8(40, 120, 220, 200);
        painter.fill(&path(Circle::new((x + 38.0, y + 30.0), 20.0)), source);
        painter.pop();
        painter.pop();
    }
}

/// Paints every mix mode.
pub fn mixes(painter: &mut impl Painter) {
    use Mix::{
        Color, ColorBurn, ColorDodge, Darken, Difference, Exclusion, HardLight, Hue, Lighten,
        Luminosity, Multiply, Normal, Overlay, Saturation, Screen, SoftLight,
    };
    let mixes = [
        Normal, Multiply, Screen, Overlay, Darken, Lighten, ColorDodge, ColorBurn, HardLight,
        SoftLight, Difference, Exclusion, Hue, Saturation, Color, Luminosity,
    ];
    cells(painter, &mixes.map(|mix| BlendMode::new(mix, Compose::SrcOver)));
}

/// Paints every compositing operator.
pub fn operators(painter: &mut impl Painter) {
    use Compose::{
        Clear, Copy, Dest, DestAtop, DestIn, DestOut, DestOver, Plus, SrcAtop, SrcIn, SrcOut,
        SrcOver, Xor,
    };
    let operators = [
        Clear,
        Copy,
        Dest,
        SrcOver,
        DestOver,
        SrcIn,
        DestIn,
        SrcOut,
        DestOut,
        SrcAtop,
        DestAtop,
        Xor,
        Plus,
        Compose::PlusLighter,
    ];
    cells(painter, &operators.map(|operator| BlendMode::new(Mix::Normal, operator)));
}

fn luminance_masks() -> Scene {
    let mut scene = Scene::new();
    for (n, reach) in [30.0, 60.0, 100.0].into_iter().enumerate() {
        let y = 85.0 * n as f64;
        let row = Rect::new(5.0, y, 250.0, y + 80.0);
        scene.push_layer(Fill::NonZero, Mix::Normal, 1.0, Affine::IDENTITY, &row);
        scene.fill(Fill::NonZero, Affine::IDENTITY, color(20 + n as u32), None, &row.inset(-6.0));
        scene.push_luminance_mask_layer(Fill::NonZero, 0.9, Affine::IDENTITY, &row.inset(-2.0));
        let shade = Gradient::new_linear((0.0, y), (reach * 2.0, y))
            .with_stops([Color::WHITE, Color::BLACK]);
        scene.fill(
            Fill::NonZero,
            Affine::IDENTITY,
            &shade,
            None,
            &Circle::new((reach, y + 40.0), reach / 2.0),
        );
        scene.pop_layer();
        scene.pop_layer();
    }
    scene
}

/// Paints `depth` nested groups of the target's size around ten pixels.
pub fn groups(painter: &mut impl Painter, width: u32, height: u32, depth: u32) {
    let (width, height) = (f64::from(width), f64::from(height));
    painter.fill(&rect(0.0, 0.0, width, height), Color::from_rgba8(250, 240, 220, 255));
    painter.fill(&rect(width * 0.1, height * 0.7, width * 0.6, height * 0.1), color(30));
    let alpha = 0.8_f32.powf(1.0 / depth.max(1) as f32);
    for _ in 0..depth {
        painter.push(&rect(0.0, 0.0, width, height), Layer::opacity(alpha));
    }
    let at = Point::new((width * 0.5).floor(), (height * 0.5).floor());
    painter.fill(&rect(at.x, at.y, 10.0, 10.0), Color::from_rgba8(20, 40, 160, 255));
    (0..depth).for_each(|_| painter.pop());
}

/// Paints a screen full of cards of this size, each a layer with a clip and two fills, like a user interface. The fill is
/// inset by `inset`, which decides whether its edges are on whole pixels.
pub fn small_layers(painter: &mut impl Painter, width: u32, height: u32, side: f64, inset: f64) {
    let (columns, rows) = (f64::from(width) / side, f64::from(height) / side);
    for row in 0..rows as u32 {
        for column in 0..columns as u32 {
            let (x, y) = (f64::from(column) * side, f64::from(row) * side);
            let n = row * columns as u32 + column;
            painter.push(&rect(x, y, side, side), Layer::opacity(0.85));
            let inner = side - 2.0 * inset;
            painter.fill(&rect(x + inset, y + inset, inner, inner), color(n));
            let card = RoundedRect::new(x + 2.0, y + 2.0, x + side - 2.0, y + side - 2.0, 2.0);
            painter.push(&path(card), Layer::Clip);
            painter.fill(&rect(x - side, y + side * 0.6, side * 3.0, side), color(n + 7));
            painter.pop();
            painter.pop();
        }
    }
}

/// Paints layers and clips partly or entirely outside the target.
pub fn outside(painter: &mut impl Painter) {
    for (n, [x, y]) in
        [[-100.0, -60.0], [200.0, 220.0], [500.0, 40.0], [-900.0, -900.0], [90.0, 90.0]]
            .into_iter()
            .enumerate()
    {
        let n = n as u32;
        painter.push(&rect(x, y, 200.0, 150.0), Layer::opacity(0.6));
        painter.fill(&path(Circle::new((x + 90.0, y + 70.0), 80.0)), color(n + 40));
        painter.push(&rect(x + 600.0, y, 30.0, 30.0), Layer::Clip);
        painter.fill(&rect(-1000.0, -1000.0, 3000.0, 3000.0), color(n + 50));
        painter.pop();
        painter.pop();
    }
}

fn odd_size() -> Scene {
    let mut scene = painted(clips_of_all_sizes);
    Painter::fill(&mut scene, &path(Circle::new((249.0, 130.0), 25.0)), color(60));
    scene
}

/// Returns a scene with unclosed layers around fills. Vello's resolver appends their ends.
pub fn left_open() -> Scene {
    let mut scene = Scene::new();
    Painter::fill(&mut scene, &rect(0.0, 0.0, 256.0, 256.0), Color::from_rgba8(250, 240, 220, 255));
    open_layers(&mut scene);
    scene
}

/// Paints [`left_open`] with closed layers, which must look the same.
pub fn left_open_closed(painter: &mut impl Painter) {
    painter.fill(&rect(0.0, 0.0, 256.0, 256.0), Color::from_rgba8(250, 240, 220, 255));
    let open = open_layers(painter);
    (0..open).for_each(|_| painter.pop());
}

/// Opens three layers. Returns their number.
fn open_layers(painter: &mut impl Painter) -> u32 {
    painter.push(&rect(20.0, 20.0, 200.0, 200.0), Layer::opacity(0.5));
    painter.fill(&rect(0.0, 60.0, 256.0, 80.0), color(61));
    painter.push(&rect(40.0, 40.0, 100.0, 190.0), Layer::Clip);
    painter.fill(&rect(0.0, 100.0, 256.0, 90.0), color(62));
    painter.push(&rect(60.0, 30.0, 150.0, 150.0), Layer::opacity(0.4));
    painter.fill(&rect(0.0, 90.0, 256.0, 150.0), color(63));
    3
}
