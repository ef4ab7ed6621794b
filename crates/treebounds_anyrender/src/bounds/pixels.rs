//! Boxes of whole pixels.
//!
//! The optimizer needs two answers about a shape: the pixels that it can touch, and the pixels that it covers
//! completely. Both are boxes of whole pixels, the first rounded outward, the second inward.
//!
//! ```text
//!     . . . . . . . .
//!     . ┌───────┐ . .      the shape, its edges between pixels
//!     . │▓ ▓ ▓ ▓│ . .      ▓ covered whole
//!     . └───────┘ . .      around them, the pixels that are touched
//! ```

use kurbo::Rect;
use treebounds_core::Footprint;

/// The snapping distance: an edge this close to a pixel edge, in pixels, counts as on it. A sliver of a pixel with this
/// width has less than a tenth of the smallest coverage that 8 bits can represent.
pub(crate) const NEAR: f64 = 1.0 / 4096.0;

/// The largest pixel coordinate. Edges beyond it are clamped.
const FAR: i32 = 1 << 29;

/// A box of whole pixels, half open; empty unless `x0 < x1` and `y0 < y1`.
///
/// The type is `i32` because the rules compare, grow and shrink boxes exactly, even where `f32` cannot distinguish
/// pixels, and because an empty box needs no branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pixels {
    pub(crate) x0: i32,
    pub(crate) y0: i32,
    pub(crate) x1: i32,
    pub(crate) y1: i32,
}

impl Default for Pixels {
    fn default() -> Self {
        Self::NOTHING
    }
}

impl Pixels {
    pub(crate) const NOTHING: Self =
        Self { x0: i32::MAX, y0: i32::MAX, x1: i32::MIN, y1: i32::MIN };
    pub(crate) const EVERYTHING: Self = Self { x0: -FAR, y0: -FAR, x1: FAR, y1: FAR };

    pub(crate) const fn new(x0: i32, y0: i32, x1: i32, y1: i32) -> Self {
        Self { x0, y0, x1, y1 }
    }

    /// Returns the pixels that the rectangle touches; all pixels after an overflow.
    #[inline]
    pub(crate) fn around(rect: Rect) -> Self {
        // Zero, unless an edge is infinite or NaN.
        if 0.0 * rect.x0 + 0.0 * rect.y0 + 0.0 * rect.x1 + 0.0 * rect.y1 != 0.0 {
            return Self::EVERYTHING;
        }
        let (low, high) = (|v: f64| floor(v + NEAR), |v: f64| ceil(v - NEAR));
        Self::new(low(rect.x0), low(rect.y0), high(rect.x1), high(rect.y1)).or_nothing()
    }

    /// Returns the pixels that the rectangle covers completely.
    #[inline]
    pub(crate) fn inside(rect: Rect) -> Self {
        let (low, high) = (|v: f64| ceil(v - NEAR), |v: f64| floor(v + NEAR));
        Self::new(low(rect.x0), low(rect.y0), high(rect.x1), high(rect.y1)).or_nothing()
    }

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.x0 >= self.x1 || self.y0 >= self.y1
    }

    #[inline]
    fn or_nothing(self) -> Self {
        if self.is_empty() { Self::NOTHING } else { self }
    }

    #[inline]
    pub(crate) fn intersect(self, other: Self) -> Self {
        Self::new(
            self.x0.max(other.x0),
            self.y0.max(other.y0),
            self.x1.min(other.x1),
            self.y1.min(other.y1),
        )
        .or_nothing()
    }

    /// Returns the box around both. Empty boxes must be [`Pixels::NOTHING`].
    #[inline]
    pub(crate) fn union(self, other: Self) -> Self {
        Self::new(
            self.x0.min(other.x0),
            self.y0.min(other.y0),
            self.x1.max(other.x1),
            self.y1.max(other.y1),
        )
    }

    /// Whether the boxes overlap. Empty boxes must be [`Pixels::NOTHING`].
    #[inline]
    pub(crate) fn intersects(self, other: Self) -> bool {
        self.x0 < other.x1 && other.x0 < self.x1 && self.y0 < other.y1 && other.y0 < self.y1
    }

    /// Whether this box contains the other. An empty other box must be [`Pixels::NOTHING`].
    #[inline]
    pub(crate) fn contains(self, other: Self) -> bool {
        self.x0 <= other.x0 && self.y0 <= other.y0 && other.x1 <= self.x1 && other.y1 <= self.y1
    }

    /// Grows each side by `by` pixels, or shrinks it if `by` is negative.
    pub(crate) fn grow(self, by: i32) -> Self {
        if self.is_empty() {
            return Self::NOTHING;
        }
        Self::new(
            self.x0.saturating_sub(by),
            self.y0.saturating_sub(by),
            self.x1.saturating_add(by),
            self.y1.saturating_add(by),
        )
        .or_nothing()
    }

    /// Returns the pixels that a filter with this footprint reads to paint these.
    pub(crate) fn reverse_bounds(self, footprint: Footprint) -> Self {
        let by = footprint.to_rect();
        self.move_edges([-by.x1, -by.y1, -by.x0, -by.y0])
    }

    /// Returns the pixels that a filter with this footprint paints from these.
    pub(crate) fn forward_bounds(self, footprint: Footprint) -> Self {
        self.move_edges(footprint.to_rect().to_array())
    }

    fn move_edges(self, [x0, y0, x1, y1]: [f32; 4]) -> Self {
        if self.is_empty() {
            return Self::NOTHING;
        }
        let edge = |v: i32, by: f32| v.saturating_add(by as i32).clamp(-FAR, FAR);
        Self::new(edge(self.x0, x0), edge(self.y0, y0), edge(self.x1, x1), edge(self.y1, y1))
            .or_nothing()
    }

    #[inline]
    pub(crate) fn area(self) -> u64 {
        if self.is_empty() {
            return 0;
        }
        let side = |low: i32, high: i32| u64::from(high.abs_diff(low));
        side(self.x0, self.x1) * side(self.y0, self.y1)
    }

    #[inline]
    pub(crate) fn rect(self) -> Rect {
        if self.is_empty() {
            return Rect::ZERO;
        }
        Rect::new(self.x0.into(), self.y0.into(), self.x1.into(), self.y1.into())
    }
}

/// `f64::floor`, clamped to +-FAR. The standard function is a call on the oldest x86-64, which lacks the instruction.
#[inline]
fn floor(v: f64) -> i32 {
    // The last bit of an f64 of this size counts ones, so the addition rounds to a whole number. Callers reject NaN.
    const ONES: f64 = 1.5 * (1_u64 << 52) as f64;
    let v = v.clamp(-f64::from(FAR), f64::from(FAR));
    let near = v + ONES;
    near.to_bits() as i32 - i32::from(near - ONES > v)
}

#[inline]
fn ceil(v: f64) -> i32 {
    -floor(-v)
}

/// A few boxes that together contain all added boxes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touched {
    boxes: [Pixels; Self::MOST],
    len: usize,
}

impl Touched {
    const MOST: usize = 6;
    pub(crate) const NOTHING: Self = Self { boxes: [Pixels::NOTHING; Self::MOST], len: 0 };
    /// Contains everything and never changes. Used where the boxes do not matter.
    pub(crate) const EVERYTHING: Self = Self { boxes: [Pixels::EVERYTHING; Self::MOST], len: 1 };

    /// Adds a box. If there is no room, the last box grows.
    #[inline]
    pub(crate) fn add(&mut self, pixels: Pixels) {
        if pixels.is_empty() || self.boxes[..self.len].iter().any(|held| held.contains(pixels)) {
            return;
        }
        if self.len < Self::MOST {
            self.boxes[self.len] = pixels;
            self.len += 1;
        } else {
            self.boxes[Self::MOST - 1] = self.boxes[Self::MOST - 1].union(pixels);
        }
    }

    #[inline]
    pub(crate) fn add_all(&mut self, other: &Self) {
        other.boxes[..other.len].iter().for_each(|held| self.add(*held));
    }

    #[inline]
    pub(crate) fn intersects(&self, pixels: Pixels) -> bool {
        self.boxes[..self.len].iter().any(|held| held.intersects(pixels))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_outward_and_inward() {
        let rect = Rect::new(1.5, 2.0, 4.25, 6.000_000_1);
        assert_eq!(Pixels::around(rect), Pixels::new(1, 2, 5, 6));
        assert_eq!(Pixels::inside(rect), Pixels::new(2, 2, 4, 6));
        assert_eq!(Pixels::inside(Rect::new(1.2, 0.0, 1.8, 9.0)), Pixels::NOTHING);
        assert_eq!(
            Pixels::around(Rect::new(-1e300, 0.0, 1e300, 1.0)),
            Pixels::new(-FAR, 0, FAR, 1)
        );
    }

    #[test]
    fn floor_and_ceil_match_f64() {
        let far = f64::from(FAR);
        for v in
            [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 7.999, -7.001, far, -far, 3e9, -3e9, 1e300, -1e300]
        {
            assert_eq!(floor(v), v.floor().clamp(-far, far) as i32, "{v}");
            assert_eq!(ceil(v), v.ceil().clamp(-far, far) as i32, "{v}");
        }
    }

    #[test]
    fn full_lists_contain_all_boxes() {
        let mut touched = Touched::NOTHING;
        let boxes = (0..20).map(|i| Pixels::new(10 * i, 0, 10 * i + 5, 5));
        boxes.clone().for_each(|pixels| touched.add(pixels));
        assert!(boxes.clone().all(|pixels| touched.intersects(pixels)));
        assert!(!touched.intersects(Pixels::new(0, 6, 200, 9)));
        assert!(!touched.intersects(Pixels::new(5, 0, 10, 5)));
    }
}
