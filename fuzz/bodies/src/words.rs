//! Generates numbers, usually small integers and sometimes arbitrary, and words that may form a stream.

use treebounds_core::{Footprint, FootprintError, Rect, Stream, StreamError, Tag};
use treebounds_testkit::Rng;
use treebounds_testkit::streams::dress::{EDGES, filtered_by, footprint};
use treebounds_testkit::streams::small_scene;

/// A 32-bit coordinate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number(pub(crate) f32);

impl Number {
    pub(crate) fn any(rng: &mut Rng) -> Self {
        Self(match rng.byte() {
            255 => match rng.byte() {
                0..8 => f32::NAN,
                _ => f32::from_bits(rng.word()),
            },
            250..255 => *rng.pick(&EDGES),
            small => f32::from(small) - 64.0,
        })
    }

    /// Whether the number is small, so that arithmetic on a few such numbers does not overflow or lose much precision.
    pub(crate) fn is_tame(self) -> bool {
        self.0 == 0.0 || (1e-3..1e6).contains(&self.0.abs())
    }
}

/// Arbitrary tags and rects, which often form a valid stream.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    pub(crate) tags: Vec<u32>,
    pub(crate) rects: Vec<Rect>,
    pub(crate) viewport: Rect,
}

impl Words {
    /// Reads a small scene with at most `most` elements and with filters. Three of eight scenes have a few changes:
    /// arbitrary tags, arbitrary numbers, or a missing rect.
    pub(crate) fn read(rng: &mut Rng, most: usize) -> Self {
        // The scene uses all remaining bytes.
        let [mut changes, mut filters] = [rng.part(24), rng.part(24)];
        let scene = filtered_by(&mut filters, &small_scene(rng, most), 30, 4, footprint);
        let mut this = Self {
            tags: scene.tags().iter().map(|tag| tag.bits()).collect(),
            rects: scene.rects().to_vec(),
            viewport: scene.viewport(),
        };
        for _ in 0..changes.below(8).saturating_sub(4) {
            this.change(&mut changes);
        }
        this
    }

    fn change(&mut self, rng: &mut Rng) {
        let at = rng.byte() as usize % self.tags.len().max(1);
        match (rng.below(8), self.tags.get_mut(at), self.rects.get_mut(at)) {
            (0..3, Some(tag), _) => *tag = rng.below(128),
            (3, Some(tag), _) => *tag = rng.word(),
            (4 | 5, _, Some(rect)) => *rect = any_rect(rng),
            (6, ..) => self.viewport = any_rect(rng),
            _ => drop(self.rects.pop()),
        }
    }

    pub(crate) fn stream(&self) -> Result<Stream, StreamError> {
        Stream::new(bytemuck::cast_slice(&self.tags).to_vec(), self.rects.clone(), self.viewport)
    }

    /// Returns the expected error for an invalid stream, derived from the rules.
    pub(crate) fn mistake(&self) -> Option<StreamError> {
        let (tags, rects) = (self.tags.len(), self.rects.len());
        if tags != rects {
            return Some(StreamError::LengthsDiffer { tags, rects });
        }
        for (index, (&bits, rect)) in self.tags.iter().zip(&self.rects).enumerate() {
            if Tag::from_bits(bits).is_none() {
                return Some(StreamError::BadTag { index, bits });
            }
            match bits & Tag::ROLE_MASK {
                // The rect of an end is ignored.
                Tag::ROLE_END => {}
                _ if bits & Tag::SPREAD != 0 => {
                    if let Some(source) = bad_footprint(*rect) {
                        return Some(StreamError::BadFootprint { index, source });
                    }
                }
                _ if has_nan(*rect) => return Some(StreamError::BadRect { index }),
                _ => {}
            }
        }
        has_nan(self.viewport).then_some(StreamError::BadViewport)
    }
}

/// Returns the expected error for an invalid footprint, derived from the rules.
pub(crate) fn bad_footprint(rect: Rect) -> Option<FootprintError> {
    let sides = rect.to_array();
    if sides.iter().any(|side| side.is_nan() || (side.is_finite() && side.fract() != 0.0)) {
        Some(FootprintError::NotWhole)
    } else if sides.iter().any(|side| side.abs() > Footprint::MAX) {
        Some(FootprintError::TooLarge)
    } else {
        (rect.x0 > rect.x1 || rect.y0 > rect.y1).then_some(FootprintError::Reversed)
    }
}

fn has_nan(rect: Rect) -> bool {
    rect.to_array().into_iter().any(f32::is_nan)
}

fn any_rect(rng: &mut Rng) -> Rect {
    let [x0, y0, x1, y1] = [(); 4].map(|()| Number::any(rng).0);
    Rect::new(x0, y0, x1, y1)
}
