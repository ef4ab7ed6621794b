//! Rects as integers: what a renderer may keep instead of four `f32`.
//!
//! Both are rounded outward, so that no box shrinks. The least and the greatest integer
//! stand for no edge at all. A box beyond them keeps an area of 1 at the edge; an empty
//! one is `(greatest, greatest, least, least)`.

use crate::Rect;
use bytemuck::{Pod, Zeroable};

macro_rules! packed {
    ($(#[$doc:meta])* $name:ident, $int:ty, $below:expr) => {
        $(#[$doc])*
        #[repr(transparent)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Pod, Zeroable)]
        pub struct $name(pub [$int; 4]);

        impl $name {
            /// The empty box.
            pub const NOTHING: Self = Self([<$int>::MAX, <$int>::MAX, <$int>::MIN, <$int>::MIN]);

            /// The greatest `f32` below the greatest integer: where the low edge of what
            /// lies beyond goes.
            const BELOW: f32 = $below;

            /// The box as floats.
            pub fn to_rect(self) -> Rect {
                let edge = |int: $int| match int {
                    <$int>::MIN => -f32::MAX,
                    <$int>::MAX => f32::MAX,
                    _ => int as f32,
                };
                let [x0, y0, x1, y1] = self.0.map(edge);
                Rect::new(x0, y0, x1, y1)
            }
        }

        impl From<Rect> for $name {
            fn from(rect: Rect) -> Self {
                let [x0, y0, x1, y1] = rect.to_array();
                if !(x0 < x1 && y0 < y1) {
                    return Self::NOTHING;
                }
                let low = |edge: f32| floor(edge).min(Self::BELOW) as $int;
                let high = |edge: f32| match -floor(-edge) {
                    edge if edge > Self::BELOW => <$int>::MAX,
                    edge => edge.max(-Self::BELOW) as $int,
                };
                Self([low(x0), low(y0), high(x1), high(y1)])
            }
        }
    };
}

packed! {
    /// Four `i16`, 8 bytes.
    ///
    /// ```
    /// use treebounds_core::{Rect, RectI16};
    /// assert_eq!(RectI16::from(Rect::new(0.5, -0.5, 3.0, 1e9)).0, [0, -1, 3, i16::MAX]);
    /// assert_eq!(RectI16::from(Rect::NOTHING), RectI16::NOTHING);
    /// ```
    RectI16, i16, 32766.0
}

packed! {
    /// Four `i32`, 16 bytes. Beyond 2<sup>24</sup> as exact as `f32` is.
    ///
    /// ```
    /// use treebounds_core::{Rect, RectI32};
    /// assert_eq!(RectI32::from(Rect::new(0.5, -0.5, 3.0, 1.0)).0, [0, -1, 3, 1]);
    /// assert_eq!(RectI32::from(Rect::EVERYTHING).to_rect(), Rect::EVERYTHING);
    /// ```
    RectI32, i32, 2_147_483_520.0
}

/// `f32::floor`, which `core` has not.
fn floor(x: f32) -> f32 {
    // From 2^23 on, floats are whole.
    if !(-8_388_608.0..8_388_608.0).contains(&x) {
        return x;
    }
    let whole = x as i32 as f32;
    if whole > x { whole - 1.0 } else { whole }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No box shrinks, and none that is not empty becomes so.
    #[test]
    fn boxes_only_grow() {
        let edges = [-f32::MAX, -3e9, -40_000.0, -1.5, 0.0, 0.25, 7.0, 40_000.0, 3e9, f32::MAX];
        for (i, &low) in edges.iter().enumerate() {
            for &high in &edges[i + 1..] {
                let rect = Rect::new(low, low, high, high);
                for grown in [RectI16::from(rect).to_rect(), RectI32::from(rect).to_rect()] {
                    assert!(!grown.is_empty(), "{rect:?} {grown:?}");
                    let [x0, _, x1, _] = grown.to_array();
                    assert!(x1 >= high && (x0 <= low || low > 32_766.0), "{rect:?} {grown:?}");
                }
            }
        }
    }

    /// Packing what was unpacked changes nothing, so unions may be packed on the way.
    #[test]
    fn packing_twice_is_packing_once() {
        for edge in [-1e9, -32_768.0, -0.5, 0.0, 5.5, 32_766.5, 32_767.0, 1e9] {
            let once = RectI16::from(Rect::new(edge, -1.0, edge + 1000.0, 1.0));
            assert_eq!(RectI16::from(once.to_rect()), once);
        }
    }
}
