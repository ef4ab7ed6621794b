//! An input as a scene, with the answer of the sequential reference.
//!
//! Every node is clip and blend at once, as a layer of Vello is, and one blend in
//! eight is not local, so that nodes without draws have contents too. All edges are
//! whole pixels: Vello's boxes of paths are integers. Every clip holds the middle
//! quarter of the viewport, so no depth leaves nothing.

use crate::inputs::{DRAWS, Input, xorshift};
use crate::record::Facts;
use treebounds_core::{Bounds, Footprint, NodeKind, Rect, Role, Stream, Tag, reference};

/// Pixels of the viewport, each way.
const SIDE: u32 = 1 << 16;

pub(crate) struct Scene {
    pub(crate) facts: Facts,
    pub(crate) stream: Stream,
    pub(crate) bounds: Bounds,
}

impl Scene {
    /// `n` elements of which about this many percent are markers, in the shape of an
    /// input whose teeth are as long as `tile`; draws are strewn between them.
    pub(crate) fn new(input: &Input, percent: u32, n: usize, tile: usize) -> anyhow::Result<Self> {
        let roles = strew(&mut Dice::default(), input, percent, n, tile);
        Self::dressed(input.named(percent), &roles)
    }

    /// The scene of these roles.
    pub(super) fn dressed(name: String, roles: &[Tag]) -> anyhow::Result<Self> {
        let mut dice = Dice::default();
        let tags: Vec<Tag> = roles.iter().map(|tag| dress(&mut dice, *tag)).collect();
        let rects = tags.iter().map(|tag| rect(&mut dice, *tag)).collect();
        let side = SIDE as f32;
        let stream = Stream::new(tags, rects, Rect::new(0.0, 0.0, side, side))?;
        let bounds = reference::bounds(&stream);
        let facts = facts(name, &stream);
        Ok(Self { facts, stream, bounds })
    }

    pub(crate) fn tags(&self) -> &[Tag] {
        self.stream.tags()
    }
}

impl Input {
    /// Its name with so many percent of markers.
    pub(super) fn named(&self, percent: u32) -> String {
        match percent {
            100 => self.name.to_owned(),
            _ => format!("{}{DRAWS}{percent}%", self.name),
        }
    }
}

/// The roles of an input's elements, with draws between them.
fn strew(dice: &mut Dice, input: &Input, percent: u32, n: usize, tile: usize) -> Vec<Tag> {
    let is_marker: Vec<bool> =
        (0..n).map(|_| percent == 100 || dice.below(100) < percent).collect();
    let markers = is_marker.iter().filter(|is_marker| **is_marker).count();
    let mut shape = input.tags(markers, tile).into_iter().filter_map(Tag::from_bits);
    let mut tag = |is_marker| if is_marker { shape.next() } else { None };
    is_marker.into_iter().map(|is_marker| tag(is_marker).unwrap_or(Tag::DRAW)).collect()
}

/// A layer of the same role.
fn dress(dice: &mut Dice, tag: Tag) -> Tag {
    match tag.role() {
        Role::Draw => tag,
        Role::Begin if tag.is_spread() => tag,
        Role::Begin if dice.below(8) == 0 => Tag::begin(NodeKind::ClipBlend).non_local(),
        Role::Begin => Tag::begin(NodeKind::ClipBlend),
        Role::End => Tag::end(NodeKind::ClipBlend),
    }
}

/// A small box somewhere, or a large one around the middle; the footprint of a blur.
fn rect(dice: &mut Dice, tag: Tag) -> Rect {
    let mut edge = |low: u32, width: u32| (low + dice.below(width)) as f32;
    let quarter = SIDE / 4;
    match tag.role() {
        Role::Begin if tag.is_spread() => Footprint::blur(4.0, 4.0).to_rect(),
        Role::Draw => {
            let (x, y) = (edge(0, SIDE), edge(0, SIDE));
            Rect::new(x, y, x + edge(1, 1 << 11), y + edge(1, 1 << 11))
        }
        Role::Begin => Rect::new(
            edge(0, quarter),
            edge(0, quarter),
            edge(3 * quarter, quarter),
            edge(3 * quarter, quarter),
        ),
        Role::End => Rect::NOTHING,
    }
}

fn facts(input: String, stream: &Stream) -> Facts {
    let count = |is: fn(&Tag) -> bool| stream.tags().iter().filter(|tag| is(tag)).count();
    Facts {
        input,
        n: stream.len(),
        markers: stream.marker_count(),
        rects: count(|tag| tag.role() != Role::End),
        blends: count(|tag| tag.bits() & Tag::BLEND != 0),
    }
}

struct Dice(u64);

impl Default for Dice {
    fn default() -> Self {
        Self(0x2545_f491_4f6c_dd1d)
    }
}

impl Dice {
    /// A number below `bound`, near enough uniform.
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = xorshift(self.0);
        (((self.0 >> 32) * u64::from(bound)) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::ALL;

    #[test]
    fn scenes_have_the_share_of_markers_that_was_asked_for() {
        for (percent, least, most) in [(2, 300, 500), (10, 1800, 2200), (100, 20_000, 20_000)] {
            let facts = Scene::new(&ALL[0], percent, 20_000, 64).unwrap().facts;
            assert!((least..=most).contains(&facts.markers), "{facts:?}");
            assert_eq!(facts.blends, facts.markers);
            assert!(facts.rects >= facts.n - facts.markers && facts.rects < facts.n);
        }
    }

    /// Boxes that are empty or all alike would hide mistakes.
    #[test]
    fn boxes_are_neither_empty_nor_alike() {
        for (percent, input) in [(100, &ALL[0]), (10, &ALL[0]), (100, &ALL[1])] {
            let Scene { bounds, .. } = Scene::new(input, percent, 20_000, 64).unwrap();
            assert!(bounds.clips.iter().all(|clip| !clip.is_empty()));
            for rects in [&bounds.contents, &bounds.boxes] {
                let full = rects.iter().filter(|rect| !rect.is_empty()).count();
                assert!(10 * full > 2 * rects.len(), "{}: {full}", input.named(percent));
                let mut all: Vec<_> =
                    rects.iter().map(|r| r.to_array().map(f32::to_bits)).collect();
                all.sort_unstable();
                all.dedup();
                assert!(all.len() > 20, "{}: {}", input.named(percent), all.len());
            }
        }
    }

    #[test]
    fn the_formula_counts_what_must_move() {
        let facts = Scene::new(&ALL[2], 100, 1000, 64).unwrap().facts;
        assert_eq!(facts.bytes(), 1000 * (2 * (4 + 8) + 16 + 16));
    }
}
