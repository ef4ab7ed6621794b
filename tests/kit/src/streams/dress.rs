//! Dressing: kinds, flags and rects for a shape.
//!
//! Rects drawn at random would intersect to nothing a few levels down, and then every backend would be right. So in long
//! scenes clips hold the middle of the viewport, and cut the less of the clip around them the deeper they lie: a nest of a
//! million still has room for more. A clip that may leave nothing closes soon. Small scenes have any rects.

use super::shapes::{Mixture, net};
use crate::Rng;
use treebounds_core::{Footprint, NodeKind, Rect, Role, Stream, Tag};

/// The viewport of every dressed stream.
pub const VIEWPORT: Rect = Rect::new(0.0, 0.0, 1024.0, 768.0);

/// What every lasting clip holds.
const MIDDLE: Rect = Rect::new(480.0, 350.0, 540.0, 420.0);

/// Within how many elements a node must close whose clip may leave nothing.
const SOON: usize = 64;

/// The elements of a scene so far. Everything random about an element is decided here.
#[derive(Default)]
pub(super) struct Dressing {
    tags: Vec<Tag>,
    rects: Vec<Rect>,
    /// The open nodes, and what the clips up to each leave.
    open: Vec<(Tag, Rect)>,
}

impl Dressing {
    /// Adds an element. `rect` gets its tag, and the clip and the number of nodes around it.
    pub(super) fn add(
        &mut self,
        rng: &mut Rng,
        role: Role,
        rect: impl FnOnce(&mut Rng, Tag, Rect, usize) -> Rect,
    ) {
        let clip = self.open.last().map_or(VIEWPORT, |(_, clip)| *clip);
        let tag = match role {
            Role::Draw => Tag::DRAW,
            Role::Begin => begin_tag(rng),
            Role::End => end_tag(rng, self.open.pop().map(|(begin, _)| begin)),
        };
        let rect = match role {
            Role::End => Rect::NOTHING,
            _ => rect(rng, tag, clip, self.open.len()),
        };
        if role == Role::Begin {
            self.open.push((tag, rect.intersect(clip)));
        }
        self.tags.push(tag);
        self.rects.push(rect);
    }

    /// Adds an element of any role, with a rect that does not depend on those around it.
    pub(super) fn add_any(
        &mut self,
        rng: &mut Rng,
        mixture: Mixture,
        rect: impl Fn(&mut Rng) -> Rect,
    ) {
        let role = mixture.role(rng);
        self.add(rng, role, |rng, _, _, _| rect(rng));
    }

    pub(super) fn finish(self, viewport: Rect) -> Stream {
        Stream::new(self.tags, self.rects, viewport)
            .expect("dressing makes valid tags and numbers without NaN")
    }
}

/// The stream of this shape, with every kind of node, every flag, and rects of
/// every sort, [`Rect::EVERYTHING`] and empty ones among them.
///
/// # Panics
/// Never for fewer elements than [`Stream::MAX_LEN`].
pub fn dress(rng: &mut Rng, roles: &[Role]) -> Stream {
    let mut scene = Dressing::default();
    for (ix, role) in roles.iter().enumerate() {
        scene.add(rng, *role, |rng, tag, clip, depth| match role {
            Role::Draw => draw_rect(rng, clip),
            _ if rng.one_in(25) && closes_soon(&roles[ix..]) => odd(rng),
            _ => node_rect(rng, tag, clip, depth),
        });
    }
    scene.finish(VIEWPORT)
}

/// A begin of any kind; one blend in five is non-local.
fn begin_tag(rng: &mut Rng) -> Tag {
    let kind = match rng.below(10) {
        0..5 => NodeKind::Clip,
        5..8 => NodeKind::Blend,
        _ => NodeKind::ClipBlend,
    };
    let tag = Tag::begin(kind);
    if kind != NodeKind::Clip && rng.one_in(5) { tag.non_local() } else { tag }
}

/// The end of this begin. One in sixteen lies about what it ends, which no
/// backend may believe.
fn end_tag(rng: &mut Rng, begin: Option<Tag>) -> Tag {
    match begin {
        Some(begin) if !rng.one_in(16) => begin.closing(),
        _ => begin_tag(rng).closing(),
    }
}

/// Whether the begin that these roles start with is closed among the first few.
fn closes_soon(roles: &[Role]) -> bool {
    let mut depth = 0;
    roles.iter().take(SOON).any(|role| {
        depth += net(*role);
        depth == 0
    })
}

fn node_rect(rng: &mut Rng, tag: Tag, clip: Rect, depth: usize) -> Rect {
    if tag.node_kind() == Some(NodeKind::Blend) && rng.percent(80) {
        return Rect::EVERYTHING;
    }
    match rng.below(100) {
        0..10 => Rect::EVERYTHING,
        10..30 => between(rng, clip, MIDDLE, 4.0 / (8 + depth) as f32),
        _ => loose(rng),
    }
}

fn draw_rect(rng: &mut Rng, clip: Rect) -> Rect {
    match rng.below(20) {
        0 => Rect::EVERYTHING,
        1 => odd(rng),
        2..10 => anywhere(rng),
        _ => inside(rng, clip),
    }
}

/// Any clip that leaves some way to [`MIDDLE`] for the clips inside it.
fn loose(rng: &mut Rng) -> Rect {
    Rect::new(
        rng.range(-100.0, 300.0),
        rng.range(-100.0, 200.0),
        rng.range(700.0, 1100.0),
        rng.range(550.0, 900.0),
    )
}

/// Around `keep` and up to `cut` of the way from `clip` to it, or just over the
/// edges of `clip`; on whole pixels half of the time, so that edges meet.
fn between(rng: &mut Rng, clip: Rect, keep: Rect, cut: f32) -> Rect {
    let mut edge = |from: f32, to: f32| from + (to - from) * cut * rng.range(-0.05, 1.0);
    let rect = Rect::new(
        edge(clip.x0, keep.x0),
        edge(clip.y0, keep.y0),
        edge(clip.x1, keep.x1),
        edge(clip.y1, keep.y1),
    );
    if rng.percent(50) { rect } else { on_pixels(rect) }
}

/// Somewhere in `clip`, a third of it or more.
fn inside(rng: &mut Rng, clip: Rect) -> Rect {
    let third = |low: f32, high: f32| (low + (high - low) / 3.0, high - (high - low) / 3.0);
    let ((x0, x1), (y0, y1)) = (third(clip.x0, clip.x1), third(clip.y0, clip.y1));
    if clip.is_empty() { loose(rng) } else { between(rng, clip, Rect::new(x0, y0, x1, y1), 1.0) }
}

fn on_pixels(rect: Rect) -> Rect {
    Rect::new(rect.x0.floor(), rect.y0.floor(), rect.x1.ceil(), rect.y1.ceil())
}

/// A box of any size up to a quarter of the viewport, part of it outside.
fn anywhere(rng: &mut Rng) -> Rect {
    let (x, y) = (rng.range(-100.0, 1100.0), rng.range(-100.0, 850.0));
    Rect::new(x, y, x + rng.range(0.0, 250.0), y + rng.range(0.0, 200.0))
}

/// Empty, inside out, a hair wide, half a plane, or huge.
fn odd(rng: &mut Rng) -> Rect {
    let x = rng.range(0.0, 1000.0).floor();
    match rng.below(7) {
        0 => Rect::NOTHING,
        1 => Rect::new(x, x, x, x + 10.0),
        2 => Rect::new(x + 1.0, 0.0, x, 700.0),
        3 => Rect::new(x, -f32::MAX, f32::MAX, f32::MAX),
        4 => Rect::new(-1e30, -1e30, x, 1e30),
        5 => Rect::new(x, 100.0, x.next_up(), 1e-40),
        _ => Rect::new(f32::NEG_INFINITY, -0.0, f32::INFINITY, x),
    }
}

/// Any rect of a small scene: on a grid of eight pixels, so that edges meet, between its lines, or with an edge where
/// arithmetic behaves differently, now and then inside out; [`Rect::NOTHING`] and [`Rect::EVERYTHING`].
pub fn small_rect(rng: &mut Rng) -> Rect {
    let kind = rng.below(18);
    let mut side = || match kind {
        0..8 => rng.below(9) as f32,
        8..12 => rng.range(-1.0, 9.0),
        _ if rng.one_in(2) => *rng.pick(&EDGES),
        _ => rng.range(0.0, 8.0),
    };
    let [x0, y0, x1, y1] = [side(), side(), side(), side()];
    match kind {
        14 | 15 => Rect::NOTHING,
        16 | 17 => Rect::EVERYTHING,
        13 => Rect::new(x0, y0, x1, y1),
        _ => Rect::new(x0.min(x1), y0.min(y1), x0.max(x1), y0.max(y1)),
    }
}

/// Coordinates at which arithmetic behaves differently.
pub const EDGES: [f32; 16] = [
    0.0,
    -0.0,
    0.5,
    0.1,
    -0.25,
    1e-45,
    f32::MIN_POSITIVE,
    f32::EPSILON,
    16_777_216.0,
    16_777_217.0,
    -1e9,
    1e30,
    f32::MAX,
    f32::MIN,
    f32::INFINITY,
    f32::NEG_INFINITY,
];

/// The stream with filters of every kind: [`filtered_by`] a seed.
pub fn filtered(stream: &Stream, seed: u64, percent: u32, deepest: usize) -> Stream {
    filtered_by(&mut Rng::new(seed ^ 0x5eed), stream, percent, deepest, footprint)
}

/// The stream with filters: this many percent of its nodes, but no more than `deepest` around each other, spread pixels, and
/// one in ten of the others fills its clip. Ends keep their tags, so that most of them lie about what they end.
///
/// # Panics
/// Never: the tags are valid, and the rects numbers.
pub fn filtered_by(
    rng: &mut Rng,
    stream: &Stream,
    percent: u32,
    deepest: usize,
    footprint: impl Fn(&mut Rng) -> Footprint,
) -> Stream {
    let (mut tags, mut rects) = (stream.tags().to_vec(), stream.rects().to_vec());
    let (mut open, mut depth) = (Vec::new(), 0);
    for (tag, rect) in tags.iter_mut().zip(&mut rects) {
        match tag.role() {
            Role::Draw => {}
            Role::Begin => {
                let spreads = depth < deepest && rng.percent(percent);
                if spreads {
                    (*tag, *rect) = (Tag::begin(NodeKind::Spread), footprint(rng).to_rect());
                } else if rng.one_in(10) {
                    *tag = tag.fills();
                }
                depth += usize::from(spreads);
                open.push(spreads);
            }
            Role::End => depth -= usize::from(open.pop() == Some(true)),
        }
    }
    Stream::new(tags, rects, stream.viewport()).expect("the tags are valid and the footprints too")
}

/// A blur, a move, a shadow, nothing, everywhere, or a move as far as one can be.
pub fn footprint(rng: &mut Rng) -> Footprint {
    let mut length = |most: f32| f64::from(rng.range(-most, most));
    let (blur, offset) =
        (Footprint::blur(length(9.0), length(9.0)), Footprint::offset(length(99.0), length(99.0)));
    match rng.below(12) {
        0..3 => blur,
        3..6 => offset,
        6..9 => blur.then(offset).hull(Footprint::IDENTITY),
        9 => Footprint::IDENTITY,
        10 => Footprint::EVERYWHERE,
        _ => Footprint::offset(f64::from(Footprint::MAX), -f64::from(Footprint::MAX)),
    }
}

/// The stream as the reference takes it where blends are wanted alone: nothing clips but the viewport, which cuts
/// draws beforehand.
///
/// # Panics
/// Never: edges that were numbers stay so.
pub fn unclipped(stream: &Stream) -> Stream {
    let viewport = stream.viewport();
    let rects = stream.tags().iter().zip(stream.rects()).map(|(tag, rect)| match tag.role() {
        Role::Draw => rect.intersect(viewport),
        _ => Rect::EVERYTHING,
    });
    let tags = stream.tags().to_vec();
    Stream::new(tags, rects.collect(), viewport).expect("tags and rects are as they were")
}
