//! Dressing: adds kinds, flags and rects to a shape.
//!
//! The intersection of uniformly random rects would be empty after a few levels, and then every backend would be right. In
//! long scenes, clips therefore contain the middle of the viewport, and cut less with increasing depth, so that even a nest
//! of a million levels is not empty. Clips with a possibly empty intersection are closed soon. Small scenes have arbitrary
//! rects.

use super::shapes::{Mixture, net};
use crate::Rng;
use treebounds_core::{Footprint, NodeKind, Rect, Role, Stream, Tag};

/// The viewport of every dressed stream.
pub const VIEWPORT: Rect = Rect::new(0.0, 0.0, 1024.0, 768.0);

/// The rect contained in every clip that is not closed soon.
const MIDDLE: Rect = Rect::new(480.0, 350.0, 540.0, 420.0);

/// The number of elements within which a clip with a possibly empty intersection must be closed.
const SOON: usize = 64;

/// The elements of a scene so far. All random choices about elements are made here.
#[derive(Default)]
pub(super) struct Dressing {
    tags: Vec<Tag>,
    rects: Vec<Rect>,
    /// The open nodes, and the intersection of the clips up to each.
    open: Vec<(Tag, Rect)>,
}

impl Dressing {
    /// Adds an element. `rect` is called with its tag, the enclosing clip and the number of enclosing nodes.
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

    /// Adds an element with a role from `mixture`, and with a rect that is independent of its surroundings.
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

/// Returns a stream of this shape, with every kind of node, every flag, and all sorts of rects, including
/// [`Rect::EVERYTHING`] and empty ones.
///
/// # Panics
/// Never for streams shorter than [`Stream::MAX_LEN`].
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

/// Returns a begin of a random kind. One blend in five is non-local.
fn begin_tag(rng: &mut Rng) -> Tag {
    let kind = match rng.below(10) {
        0..5 => NodeKind::Clip,
        5..8 => NodeKind::Blend,
        _ => NodeKind::ClipBlend,
    };
    let tag = Tag::begin(kind);
    if kind != NodeKind::Clip && rng.one_in(5) { tag.non_local() } else { tag }
}

/// Returns an end for a begin. One in sixteen has the wrong kind, which backends must ignore.
fn end_tag(rng: &mut Rng, begin: Option<Tag>) -> Tag {
    match begin {
        Some(begin) if !rng.one_in(16) => begin.closing(),
        _ => begin_tag(rng).closing(),
    }
}

/// Whether the first role, a begin, is closed within [`SOON`] elements.
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
        _ => loose_clip(rng),
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

/// Returns a random clip that leaves space around [`MIDDLE`] for the clips inside.
fn loose_clip(rng: &mut Rng) -> Rect {
    Rect::new(
        rng.range(-100.0, 300.0),
        rng.range(-100.0, 200.0),
        rng.range(700.0, 1100.0),
        rng.range(550.0, 900.0),
    )
}

/// Returns a rect between `clip` and `keep`, up to `cut` of the way from `clip`, or slightly larger than `clip`. Half of the
/// edges are whole numbers, so that edges coincide.
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

/// Returns a rect inside `clip`, at least a third as wide and as high.
fn inside(rng: &mut Rng, clip: Rect) -> Rect {
    let third = |low: f32, high: f32| (low + (high - low) / 3.0, high - (high - low) / 3.0);
    let ((x0, x1), (y0, y1)) = (third(clip.x0, clip.x1), third(clip.y0, clip.y1));
    if clip.is_empty() {
        loose_clip(rng)
    } else {
        between(rng, clip, Rect::new(x0, y0, x1, y1), 1.0)
    }
}

fn on_pixels(rect: Rect) -> Rect {
    Rect::new(rect.x0.floor(), rect.y0.floor(), rect.x1.ceil(), rect.y1.ceil())
}

/// Returns a box of at most a quarter of the viewport, possibly partly outside.
fn anywhere(rng: &mut Rng) -> Rect {
    let (x, y) = (rng.range(-100.0, 1100.0), rng.range(-100.0, 850.0));
    Rect::new(x, y, x + rng.range(0.0, 250.0), y + rng.range(0.0, 200.0))
}

/// Returns an odd rect: empty, inverted, very thin, a half plane, or huge.
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

/// Returns a random rect for a small scene: on a grid of eight pixels, so that edges coincide, between grid lines, or
/// with an edge from [`EDGES`]. Some rects are inverted, [`Rect::NOTHING`] or [`Rect::EVERYTHING`].
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

/// Adds filters of every kind to a stream, as [`filtered_by`] does, from a seed.
pub fn filtered(stream: &Stream, seed: u64, percent: u32, deepest: usize) -> Stream {
    filtered_by(&mut Rng::new(seed ^ 0x5eed), stream, percent, deepest, footprint)
}

/// Turns `percent` percent of the nodes into filters, nested at most `deepest` deep. One in ten of the others fills
/// its clip. Ends keep their tags, so most ends of filters have the wrong kind.
///
/// # Panics
/// Never: the tags are valid, and the rects contain no NaN.
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

/// Returns the footprint of a blur, a move, a shadow, nothing, everything, or the largest possible move.
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

/// Returns a stream for which the reference computes the bounds without clips: only the viewport clips, and draws are
/// already cut to it.
///
/// # Panics
/// Never: the edges remain numbers.
pub fn unclipped(stream: &Stream) -> Stream {
    let viewport = stream.viewport();
    let rects = stream.tags().iter().zip(stream.rects()).map(|(tag, rect)| match tag.role() {
        Role::Draw => rect.intersect(viewport),
        _ => Rect::EVERYTHING,
    });
    let tags = stream.tags().to_vec();
    Stream::new(tags, rects.collect(), viewport).expect("tags and rects are as they were")
}
