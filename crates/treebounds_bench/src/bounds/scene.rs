//! Scenes from inputs, with the results of the sequential reference.
//!
//! Every node clips and blends, like Vello's layers. One blend in eight is non-local, so that nodes without
//! draws also have contents. All edges are whole pixels, because Vello's path boxes are integers. Every clip
//! contains the middle quarter of the viewport, so clips are never empty at any depth.

use crate::inputs::{DRAWS, Input, xorshift};
use crate::record::Facts;
use treebounds_core::{Bounds, Footprint, NodeKind, Rect, Role, Stream, Tag, reference};

/// The side length of the viewport in pixels.
const SIDE: u32 = 1 << 16;

pub(crate) struct Scene {
    pub(crate) facts: Facts,
    pub(crate) stream: Stream,
    pub(crate) bounds: Bounds,
}

impl Scene {
    /// Creates a scene of `n` elements from an input shape; sawtooth inputs have teeth of length `tile`. About
    /// `percent` of the elements are markers, and draws are scattered between them.
    pub(crate) fn new(input: &Input, percent: u32, n: usize, tile: usize) -> anyhow::Result<Self> {
        let roles = scatter_draws(&mut Dice::default(), input, percent, n, tile);
        Self::dressed(input.named(percent), &roles)
    }

    /// Creates a scene with these roles.
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
    /// The name of the input with the percentage of markers.
    pub(super) fn named(&self, percent: u32) -> String {
        match percent {
            100 => self.name.to_owned(),
            _ => format!("{}{DRAWS}{percent}%", self.name),
        }
    }
}

/// Creates the roles of an input's elements, with draws scattered between them.
fn scatter_draws(dice: &mut Dice, input: &Input, percent: u32, n: usize, tile: usize) -> Vec<Tag> {
    let is_marker: Vec<bool> =
        (0..n).map(|_| percent == 100 || dice.below(100) < percent).collect();
    let markers = is_marker.iter().filter(|is_marker| **is_marker).count();
    let mut shape = input.tags(markers, tile).into_iter().filter_map(Tag::from_bits);
    let mut tag = |is_marker| if is_marker { shape.next() } else { None };
    is_marker.into_iter().map(|is_marker| tag(is_marker).unwrap_or(Tag::DRAW)).collect()
}

/// Converts a role to a layer's tag.
fn dress(dice: &mut Dice, tag: Tag) -> Tag {
    match tag.role() {
        Role::Draw => tag,
        Role::Begin if tag.is_spread() => tag,
        Role::Begin if dice.below(8) == 0 => Tag::begin(NodeKind::ClipBlend).non_local(),
        Role::Begin => Tag::begin(NodeKind::ClipBlend),
        Role::End => Tag::end(NodeKind::ClipBlend),
    }
}

/// A small random box for a draw, a large box around the center for a node, or the footprint of a blur.
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
    /// A random number below `bound`, approximately uniform.
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
    fn scenes_have_the_requested_percentage_of_markers() {
        for (percent, least, most) in [(2, 300, 500), (10, 1800, 2200), (100, 20_000, 20_000)] {
            let facts = Scene::new(&ALL[0], percent, 20_000, 64).unwrap().facts;
            assert!((least..=most).contains(&facts.markers), "{facts:?}");
            assert_eq!(facts.blends, facts.markers);
            assert!(facts.rects >= facts.n - facts.markers && facts.rects < facts.n);
        }
    }

    /// Empty or equal boxes would hide errors.
    #[test]
    fn boxes_are_not_empty_and_differ() {
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
    fn byte_formula_counts_all_inputs_and_outputs() {
        let facts = Scene::new(&ALL[2], 100, 1000, 64).unwrap().facts;
        assert_eq!(facts.bytes(), 1000 * (2 * (4 + 8) + 16 + 16));
    }
}
