//! Rectangles in device pixels, with intersection and union.
//!
//! Both operations use only `min` and `max`, which do not round, so all backends compute identical results.

use bytemuck::{Pod, Zeroable};

/// A half-open, axis-aligned rectangle: four `f32` in device pixels.
///
/// It contains the points with `x0 <= x < x1` and `y0 <= y < y1`, so it is *empty* unless `x0 < x1` and `y0 < y1`. All operations
/// return [`Rect::NOTHING`] for empty results, so equal results have equal bits.
///
/// 16 bytes, with the layout of a WGSL `vec4<f32>`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Rect {
    /// The left edge, inclusive.
    pub x0: f32,
    /// The top edge, inclusive.
    pub y0: f32,
    /// The right edge, exclusive.
    pub x1: f32,
    /// The bottom edge, exclusive.
    pub y1: f32,
}

/// The error of [`Rect::canonical`] for NaN coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a coordinate of the rectangle is NaN")]
pub struct NotANumber;

impl Rect {
    /// The whole plane: the identity of [`Rect::intersect`].
    ///
    /// It is finite, because WGSL implementations may assume that there are no infinities.
    pub const EVERYTHING: Self = Self::new(-f32::MAX, -f32::MAX, f32::MAX, f32::MAX);

    /// The canonical empty rectangle: the identity of [`Rect::union`].
    ///
    /// Its corners are swapped and as far apart as possible, so `min` and `max` return the other rectangle.
    pub const NOTHING: Self = Self::new(f32::MAX, f32::MAX, -f32::MAX, -f32::MAX);

    /// Creates a rectangle from its edges, without reordering them.
    #[inline]
    pub const fn new(x0: f32, y0: f32, x1: f32, y1: f32) -> Self {
        Self { x0, y0, x1, y1 }
    }

    /// Whether the rectangle contains no points.
    #[inline]
    pub fn is_empty(self) -> bool {
        !((self.x0 < self.x1) & (self.y0 < self.y1))
    }

    /// The intersection of two rectangles. Empty intersections are [`Rect::NOTHING`].
    #[inline]
    #[must_use]
    pub fn intersect(self, other: Self) -> Self {
        Self {
            x0: max(self.x0, other.x0),
            y0: max(self.y0, other.y0),
            x1: min(self.x1, other.x1),
            y1: min(self.y1, other.y1),
        }
        .or_nothing()
    }

    /// The smallest rectangle around two canonical rectangles.
    #[inline]
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            x0: min(self.x0, other.x0),
            y0: min(self.y0, other.y0),
            x1: max(self.x1, other.x1),
            y1: max(self.y1, other.y1),
        }
    }

    /// Returns `self`, or [`Rect::NOTHING`] if `self` is empty.
    #[inline]
    #[must_use]
    pub fn or_nothing(self) -> Self {
        // Empty boxes are hard to predict, so four selects are several times faster than one branch.
        let empty = self.is_empty();
        let select = |nothing, x| core::hint::select_unpredictable(empty, nothing, x);
        Self {
            x0: select(f32::MAX, self.x0),
            y0: select(f32::MAX, self.y0),
            x1: select(-f32::MAX, self.x1),
            y1: select(-f32::MAX, self.y1),
        }
    }

    /// Converts the rectangle to its canonical form, which all backends interpret identically.
    ///
    /// Infinities become `+-f32::MAX`. Subnormal numbers and `-0.0` become `+0.0`, because a GPU may flush subnormals and choose
    /// either sign for zero. Empty rectangles become [`Rect::NOTHING`].
    ///
    /// # Errors
    /// [`NotANumber`] if a coordinate is NaN.
    #[inline]
    pub fn canonical(self) -> Result<Self, NotANumber> {
        let rect = Self {
            x0: canonical_coordinate(self.x0)?,
            y0: canonical_coordinate(self.y0)?,
            x1: canonical_coordinate(self.x1)?,
            y1: canonical_coordinate(self.y1)?,
        };
        Ok(rect.or_nothing())
    }

    /// Whether `other` is inside this rectangle. Empty rectangles are inside every rectangle.
    #[inline]
    pub fn contains(self, other: Self) -> bool {
        other.is_empty()
            || (self.x0 <= other.x0
                && self.y0 <= other.y0
                && other.x1 <= self.x1
                && other.y1 <= self.y1)
    }

    /// Width in pixels; 0 if empty.
    pub fn width(self) -> f64 {
        if self.is_empty() { 0.0 } else { f64::from(self.x1) - f64::from(self.x0) }
    }

    /// Height in pixels; 0 if empty.
    pub fn height(self) -> f64 {
        if self.is_empty() { 0.0 } else { f64::from(self.y1) - f64::from(self.y0) }
    }

    /// Area in square pixels; 0 if empty.
    pub fn area(self) -> f64 {
        self.width() * self.height()
    }

    /// The edges as `[x0, y0, x1, y1]`.
    #[inline]
    pub const fn to_array(self) -> [f32; 4] {
        [self.x0, self.y0, self.x1, self.y1]
    }
}

/// Converts a [`kurbo::Rect`] to the smallest rectangle around it. Edges are rounded outward, empty rectangles become
/// [`Rect::NOTHING`], and NaN stays NaN.
#[cfg(feature = "kurbo")]
impl From<kurbo::Rect> for Rect {
    fn from(rect: kurbo::Rect) -> Self {
        if rect.x0 >= rect.x1 || rect.y0 >= rect.y1 {
            return Self::NOTHING;
        }
        let down = |x: f64| {
            let near = x as f32;
            if f64::from(near) > x { near.next_down() } else { near }
        };
        let up = |x: f64| -down(-x);
        Self::new(down(rect.x0), down(rect.y0), up(rect.x1), up(rect.y1))
    }
}

/// Converts a rectangle without changing its edges. The corners of [`Rect::NOTHING`] stay swapped.
#[cfg(feature = "kurbo")]
impl From<Rect> for kurbo::Rect {
    fn from(rect: Rect) -> Self {
        let [x0, y0, x1, y1] = rect.to_array().map(f64::from);
        Self { x0, y0, x1, y1 }
    }
}

/// `f32::min` without NaN handling, which would need a branch.
#[inline]
fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[inline]
fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline]
fn canonical_coordinate(x: f32) -> Result<f32, NotANumber> {
    if x.is_nan() {
        Err(NotANumber)
    } else if x == 0.0 || x.is_subnormal() {
        Ok(0.0)
    } else {
        Ok(x.clamp(-f32::MAX, f32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_normalizes_coordinates_and_rejects_nan() {
        let odd = Rect::new(f32::NEG_INFINITY, -0.0, f32::INFINITY, 1.0);
        let rect = odd.canonical().unwrap();
        assert_eq!(
            rect.to_array().map(f32::to_bits),
            [-f32::MAX, 0.0, f32::MAX, 1.0].map(f32::to_bits)
        );
        assert_eq!(Rect::new(0.0, 0.0, 1e-45, 1.0).canonical(), Ok(Rect::NOTHING));
        assert_eq!(Rect::new(0.0, f32::NAN, 1.0, 1.0).canonical(), Err(NotANumber));
    }

    #[test]
    fn empty_rects_stay_empty() {
        let unit = Rect::new(0.0, 0.0, 1.0, 1.0);
        let beside = Rect::new(1.0, 0.0, 2.0, 1.0);
        assert_eq!(unit.intersect(beside), Rect::NOTHING);
        assert_eq!(Rect::NOTHING.intersect(Rect::EVERYTHING), Rect::NOTHING);
        assert_eq!(Rect::NOTHING.union(unit), unit);
    }

    #[cfg(feature = "kurbo")]
    #[test]
    fn kurbo_rects_round_outward() {
        let third = kurbo::Rect::new(-1.0 / 3.0, 1.0 / 3.0, 0.1, 7.0);
        let rect = Rect::from(third);
        let back = kurbo::Rect::from(rect);
        assert!(back.x0 <= third.x0 && back.y0 <= third.y0, "{back:?}");
        assert!(back.x1 >= third.x1 && back.y1 == 7.0, "{back:?}");
        assert!((back.x0 - third.x0).abs() < 1e-7 && (back.y0 - third.y0).abs() < 1e-7);
        assert_eq!(Rect::from(back), rect);
        assert_eq!(Rect::from(kurbo::Rect::new(1.0, 0.0, 1.0, 1.0)), Rect::NOTHING);
        assert!(Rect::from(kurbo::Rect::new(f64::NAN, 0.0, 1.0, 1.0)).x0.is_nan());
        let far = kurbo::Rect::new(-1e300, 0.0, 1e300, 1.0);
        assert_eq!(Rect::from(far).canonical(), Ok(Rect::new(-f32::MAX, 0.0, f32::MAX, 1.0)));
    }

    #[test]
    fn area_and_containment_are_correct() {
        let rect = Rect::new(-1.0, 2.0, 3.0, 5.0);
        assert_eq!((rect.width(), rect.height(), rect.area()), (4.0, 3.0, 12.0));
        assert_eq!(Rect::NOTHING.area(), 0.0);
        assert!(Rect::EVERYTHING.contains(rect) && rect.contains(Rect::NOTHING));
        assert!(!rect.contains(Rect::EVERYTHING));
    }
}
