//! A fern with a skeleton of 100,000 bones, each placed by its parent. Computes the place of every
//! bone in the world, and draws `skeleton.png`.
//!
//! ```text
//! cargo run --release --example skeleton -- --bones 100000 --out fern.png
//! ```
//!
//! A bone is a segment from (0, 0) to (1, 0). Its own transform rotates and scales it and moves it
//! to the end of its parent. Its place in the world is the product of all transforms along its path
//! from the root: a product that flows down the tree, in a noncommutative monoid.

use anyhow::{Context, ensure};
use bytemuck::{Pod, Zeroable};
use clap::Parser;
use kurbo::Affine;
use std::{
    cmp::Reverse, collections::BinaryHeap, f64::consts::PI, io::Write, path::PathBuf,
    process::ExitCode,
};
use tiny_skia::{
    Color, GradientStop, LineCap, Paint, PathBuilder, Pixmap, Point, Rect, SpreadMode, Stroke,
    Transform as ToPixels,
};
use treebounds_cli::options::Where;
use treebounds_core::{Monoid, NodeKind, Tag};
use treebounds_examples::{Backend, WgslMonoid};

/// Grows a fern, computes where its bones are, checks every one, and draws them.
#[derive(Debug, Parser)]
#[command(name = "skeleton", version, max_term_width = 100)]
struct Args {
    /// How many bones grow
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    bones: u32,

    /// The picture
    #[arg(short, long, value_name = "PNG", default_value = "skeleton.png")]
    out: PathBuf,

    #[command(flatten)]
    place: Where,
}

fn main() -> ExitCode {
    match run(&treebounds_cli::parse::<Args>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("skeleton: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> anyhow::Result<()> {
    let rig = Rig::grow(args.bones as usize);
    let stream = rig.stream();
    let backend = Backend::open(args.place.backend)?;
    let products = backend.root_fix(&stream.tags, &stream.locals)?;
    let world = stream.by_bone(&products);
    let error = rig.check(&world)?;
    let picture = draw(&rig, &stream, &world)?;
    let png = picture.encode_png()?;
    std::fs::write(&args.out, png).with_context(|| args.out.display().to_string())?;
    let report = format!(
        "bones     {}, {} deep\nbackend   {backend}\n\
         checked   every bone; the largest error is {:.1} % of what is allowed\n\
         picture   {}\n",
        world.len(),
        rig.deepest(),
        100.0 * error,
        args.out.display(),
    );
    // The reader may close the pipe early.
    let _ = std::io::stdout().write_all(report.as_bytes());
    Ok(())
}

/// A 2D affine transform as columns: the images of (1, 0), (0, 1) and the origin, the last as a
/// point. Associative up to rounding.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
struct Transform {
    x: [f32; 2],
    y: [f32; 2],
    origin: [f32; 2],
}

impl Transform {
    /// Applies the linear part to a direction.
    fn turn(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        [self.x[0] * x + self.y[0] * y, self.x[1] * x + self.y[1] * y]
    }
}

impl Monoid for Transform {
    const IDENTITY: Self = Self { x: [1.0, 0.0], y: [0.0, 1.0], origin: [0.0, 0.0] };

    /// Returns the matrix product. `later` is relative to the frame of `self`.
    fn combine(&self, later: &Self) -> Self {
        let moved = self.turn(later.origin);
        let origin = [self.origin[0] + moved[0], self.origin[1] + moved[1]];
        Self { x: self.turn(later.x), y: self.turn(later.y), origin }
    }
}

/// The WGSL implementation. The WGSL struct has the layout of the Rust struct: 24 bytes, also in
/// arrays.
impl WgslMonoid for Transform {
    const WGSL: &str = "
struct Transform { x: vec2<f32>, y: vec2<f32>, origin: vec2<f32> }
alias Input = Transform;
alias Product = Transform;
alias Output = Transform;

fn product_identity() -> Product {
    return Transform(vec2(1.0, 0.0), vec2(0.0, 1.0), vec2(0.0, 0.0));
}

fn product_load(input: Input) -> Product { return input; }

fn product_store(product: Product) -> Output { return product; }

// `second` applies in the frame defined by `first`.
fn product_combine(first: Product, second: Product) -> Product {
    let turn = mat2x2<f32>(first.x, first.y);
    return Transform(turn * second.x, turn * second.y, turn * second.origin + first.origin);
}
";
}

impl From<Affine> for Transform {
    fn from(affine: Affine) -> Self {
        let [a, b, c, d, e, f] = affine.as_coeffs().map(|coefficient| coefficient as f32);
        Self { x: [a, b], y: [c, d], origin: [e, f] }
    }
}

impl From<Transform> for Affine {
    fn from(Transform { x, y, origin }: Transform) -> Self {
        Self::new([x[0], x[1], y[0], y[1], origin[0], origin[1]].map(f64::from))
    }
}

/// The part of the plant that a bone moves.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// The base on the ground from which all fronds grow.
    Crown,
    /// The `step`-th bone of a frond, of a leaf on a frond (order 1), or of a leaflet on a leaf
    /// (2), which curls to one side: 1 or -1.
    Frond { order: usize, step: u32, side: f64 },
}

struct Bone {
    /// Parents precede their children.
    parent: Option<u32>,
    local: Transform,
    part: Part,
    /// The number of bones on the path from the root.
    depth: u32,
    /// The length in the world.
    size: f64,
}

struct Rig {
    bones: Vec<Bone>,
}

impl Rig {
    /// Grows at the largest bud until there are `count` bones.
    fn grow(count: usize) -> Self {
        let upright = Affine::rotate(PI / 2.0) * Affine::scale(0.33);
        let (part, depth) = (Part::Crown, 1);
        let root = Bone { parent: None, local: upright.into(), part, depth, size: 1.0 };
        let mut bones = vec![root];
        // Positive floats have the same order as their bits.
        let mut buds = BinaryHeap::from([(1.0_f64.to_bits(), Reverse(0_u32))]);
        while let Some((_, Reverse(parent))) = buds.pop() {
            let Bone { part, depth, size, .. } = bones[parent as usize];
            for (part, angle, scale) in part.sprouts(parent) {
                if bones.len() == count {
                    return Self { bones };
                }
                let local =
                    Affine::translate((1.0, 0.0)) * Affine::rotate(angle) * Affine::scale(scale);
                let size = size * scale;
                buds.push((size.to_bits(), Reverse(bones.len() as u32)));
                let (parent, depth) = (Some(parent), depth + 1);
                bones.push(Bone { parent, local: local.into(), part, depth, size });
            }
        }
        Self { bones }
    }

    fn deepest(&self) -> u32 {
        self.bones.iter().map(|bone| bone.depth).max().unwrap_or(0)
    }

    /// Returns the tree depth first. A bone with children is a node, any other a leaf.
    fn stream(&self) -> BoneStream {
        let mut children = vec![Vec::new(); self.bones.len()];
        for (ix, bone) in self.bones.iter().enumerate() {
            if let Some(parent) = bone.parent {
                children[parent as usize].push(ix);
            }
        }
        let mut stream = BoneStream::default();
        let mut todo = vec![Step::Visit(0)];
        while let Some(step) = todo.pop() {
            match step {
                Step::Leave => stream.push(Tag::end(NodeKind::Clip), Transform::IDENTITY, None),
                Step::Visit(ix) if children[ix].is_empty() => {
                    stream.push(Tag::DRAW, self.bones[ix].local, Some(ix));
                }
                Step::Visit(ix) => {
                    stream.push(Tag::begin(NodeKind::Clip), self.bones[ix].local, Some(ix));
                    todo.push(Step::Leave);
                    todo.extend(children[ix].iter().rev().map(|child| Step::Visit(*child)));
                }
            }
        }
        stream
    }

    /// Compares every bone with [`kurbo`] in double precision. Returns the largest error relative
    /// to the tolerance, or an error that names the first wrong bone.
    ///
    /// The place of a bone at the end of a path of `d` bones takes `d - 1` multiplications,
    /// associated in any order. In world coordinates, no number in them exceeds the path's reach
    /// `r`: the total length of its bones plus 1. The rounding error of each multiplication is
    /// therefore below `4 ε r`, and later transforms rotate it but do not stretch it.
    fn check(&self, world: &[Transform]) -> anyhow::Result<f64> {
        let mut exact: Vec<(Affine, f64)> = Vec::with_capacity(self.bones.len());
        let mut largest = 0.0_f64;
        for (ix, (bone, found)) in self.bones.iter().zip(world).enumerate() {
            let (parent, reach) =
                bone.parent.map_or((Affine::IDENTITY, 1.0), |parent| exact[parent as usize]);
            let expected = parent * Affine::from(bone.local);
            let allowed = 4.0 * f64::from(f32::EPSILON) * f64::from(bone.depth) * reach;
            for (found, expected) in
                Affine::from(*found).as_coeffs().into_iter().zip(expected.as_coeffs())
            {
                let error = (found - expected).abs() / allowed;
                ensure!(error <= 1.0, "bone {ix} is at {found}, and should be at {expected}");
                largest = largest.max(error);
            }
            exact.push((expected, reach + bone.size));
        }
        Ok(largest)
    }
}

impl Part {
    /// Returns the parts that grow at its end, with their rotation and scale.
    fn sprouts(self, seed: u32) -> Vec<(Self, f64, f64)> {
        match self {
            // Outer fronds first, because inner ones are painted over them.
            Self::Crown => [0, 8, 1, 7, 2, 6, 3, 5, 4].map(Self::frond).to_vec(),
            Self::Frond { order, step, side } => {
                let habit = &HABITS[order];
                let on = Self::Frond { order, step: step + 1, side };
                let curl = side * (0.012 + habit.curl * f64::from(step)) + 0.01 * noise(seed);
                let mut sprouts = vec![(on, curl, habit.taper)];
                if step > habit.bare && step.is_multiple_of(habit.every) {
                    let grown = (f64::from(step - habit.bare) / 10.0).min(1.0).sqrt();
                    let scale = habit.branch * grown * (1.0 + 0.08 * noise(seed + 1));
                    for side in [1.0, -1.0] {
                        let branch = Self::Frond { order: order + 1, step: 0, side: -side };
                        sprouts.push((branch, side * (1.1 + 0.06 * noise(seed + 2)), scale));
                    }
                }
                sprouts
            }
        }
    }

    /// Returns one of nine fronds around the crown, from the left (0) to the right (8).
    fn frond(ix: u32) -> (Self, f64, f64) {
        let place = f64::from(ix) / 4.0 - 1.0;
        let side = if place < 0.0 { 1.0 } else { -1.0 };
        let lean = -0.22 * side * (1.0 - place.abs());
        let angle = lean - 1.3 * place + 0.06 * noise(ix);
        let scale = 3.0 - place.abs() + 0.2 * noise(ix + 50);
        (Self::Frond { order: 0, step: 0, side }, angle, scale)
    }

    /// Returns the width of its line relative to its length.
    fn width(self) -> f32 {
        match self {
            Self::Crown => 0.8,
            Self::Frond { order, .. } => HABITS[order].width,
        }
    }
}

/// The growth parameters of all fronds of one order.
struct Habit {
    /// The size of a bone relative to the previous one.
    taper: f64,
    /// The additional rotation of each bone relative to the previous one.
    curl: f64,
    /// The number of steps without branches.
    bare: u32,
    /// The number of steps between branches.
    every: u32,
    /// The size of the first bone of a branch relative to the bone it grows on.
    branch: f64,
    width: f32,
}

/// For fronds, their leaves, and the leaflets on those.
const HABITS: [Habit; 3] = [
    Habit { taper: 0.957, curl: 0.0007, bare: 4, every: 2, branch: 0.45, width: 0.25 },
    Habit { taper: 0.93, curl: 0.0, bare: 0, every: 1, branch: 0.8, width: 0.28 },
    Habit { taper: 0.78, curl: 0.0, bare: u32::MAX, every: 1, branch: 0.0, width: 0.75 },
];

/// Returns a pseudorandom number from -1 to 1.
fn noise(seed: u32) -> f64 {
    let stirred = (seed ^ seed >> 16).wrapping_mul(0x9e37_79b1);
    let stirred = (stirred ^ stirred >> 15).wrapping_mul(0x85eb_ca77);
    f64::from(stirred ^ stirred >> 13) / f64::from(u32::MAX) * 2.0 - 1.0
}

/// A pending step of the tree traversal.
enum Step {
    Visit(usize),
    Leave,
}

#[derive(Default)]
struct BoneStream {
    tags: Vec<Tag>,
    locals: Vec<Transform>,
    /// The bone of each element. `None` for ends.
    bones: Vec<Option<usize>>,
}

impl BoneStream {
    fn push(&mut self, tag: Tag, local: Transform, bone: Option<usize>) {
        self.tags.push(tag);
        self.locals.push(local);
        self.bones.push(bone);
    }

    /// Reorders products from element order to bone order.
    fn by_bone(&self, products: &[Transform]) -> Vec<Transform> {
        let mut world = vec![Transform::IDENTITY; self.bones.iter().flatten().count()];
        for (bone, product) in self.bones.iter().zip(products) {
            if let Some(bone) = bone {
                world[*bone] = *product;
            }
        }
        world
    }
}

const WIDTH: u32 = 1600;
const HEIGHT: u32 = 1200;

const MARGIN: u32 = 70;

/// The colours of the sky, from top to bottom.
const NIGHT: [u32; 2] = [0x0b1b2b, 0x163832];

/// The colours from the root to the deepest bone.
const LEAF: [u32; 6] = [0x6b4a2f, 0x1f7a55, 0x3fae5a, 0xa6d94b, 0xffd95e, 0xfff3c4];

/// Draws every bone as a line; its size determines the width, and its depth the colour.
fn draw(rig: &Rig, stream: &BoneStream, world: &[Transform]) -> anyhow::Result<Pixmap> {
    let mut pixmap = Pixmap::new(WIDTH, HEIGHT).context("the picture has no area")?;
    paint_night(&mut pixmap);
    let to_pixels = fit(world).context("the bones do not fit a picture")?;
    let deepest = rig.deepest().max(2) as f32;
    // Draws in stream order, so that later fronds cover earlier ones.
    for ix in stream.bones.iter().flatten().copied() {
        let (bone, place) = (&rig.bones[ix], &world[ix]);
        let ([x, y], [dx, dy]) = (place.origin, place.x);
        let mut line = PathBuilder::new();
        line.move_to(x, y);
        line.line_to(x + dx, y + dy);
        let Some(line) = line.finish() else { continue };
        let mut paint = Paint::default();
        paint.set_color(ramp(&LEAF, (bone.depth - 1) as f32 / (deepest - 1.0)));
        let stroke = Stroke {
            width: bone.part.width() * dx.hypot(dy),
            line_cap: LineCap::Round,
            ..Stroke::default()
        };
        pixmap.stroke_path(&line, &paint, &stroke, to_pixels, None);
    }
    Ok(pixmap)
}

fn paint_night(pixmap: &mut Pixmap) {
    let stops = (0..=8).map(|at| at as f32 / 8.0).map(|at| GradientStop::new(at, ramp(&NIGHT, at)));
    let (top, bottom) = (Point::zero(), Point::from_xy(0.0, HEIGHT as f32));
    let shader = tiny_skia::LinearGradient::new(
        top,
        bottom,
        stops.collect(),
        SpreadMode::Pad,
        ToPixels::identity(),
    );
    let all = Rect::from_xywh(0.0, 0.0, WIDTH as f32, HEIGHT as f32);
    if let (Some(shader), Some(all)) = (shader, all) {
        let paint = Paint { shader, ..Paint::default() };
        pixmap.fill_rect(all, &paint, ToPixels::identity(), None);
    }
}

/// Maps the world, where y grows upwards, to pixels, as large as possible.
fn fit(world: &[Transform]) -> Option<ToPixels> {
    let ends = world.iter().flat_map(|place| {
        let ([x, y], [dx, dy]) = (place.origin, place.x);
        [Point::from_xy(x, y), Point::from_xy(x + dx, y + dy)]
    });
    let mut bounds = PathBuilder::new();
    ends.for_each(|end| bounds.line_to(end.x, end.y));
    let bounds = bounds.finish()?.bounds();
    let room = |pixels: u32| (pixels - 2 * MARGIN) as f32;
    let scale = (room(WIDTH) / bounds.width()).min(room(HEIGHT) / bounds.height());
    let middle = (bounds.left() + bounds.right()) / 2.0;
    let left = WIDTH as f32 / 2.0 - scale * middle;
    let bottom = (HEIGHT - MARGIN) as f32 + scale * bounds.top();
    scale.is_finite().then(|| ToPixels::from_row(scale, 0.0, 0.0, -scale, left, bottom))
}

fn ramp(colors: &[u32], at: f32) -> Color {
    let steps = colors.len() - 1;
    let place = at.clamp(0.0, 1.0) * steps as f32;
    let from = (place as usize).min(steps - 1);
    let part = place - from as f32;
    let mix = |shift: u32| {
        let [a, b] = [from, from + 1].map(|ix| (colors[ix] >> shift & 255) as f32);
        (a + (b - a) * part).round() as u8
    };
    Color::from_rgba8(mix(16), mix(8), mix(0), 255)
}
