//! Filter effects: how each effect moves pixels, and whether it paints where its inputs are transparent.
//!
//! A filter is a graph. Each effect reads the source or earlier results. Footprints add along a path through the graph. Where paths
//! meet, the footprint is the smallest footprint around both:
//!
//! ```text
//! source ── blur [-6, 6] ── offset [8, 8] ── merge ── result      the shadow: [-6, 6] + [8, 8] = [2, 14]
//!    └────────────────────────────────────────┘                    the result: [2, 14] around [0, 0] = [0, 14]
//! ```
//!
//! A footprint must cover both the pixels that the filter reads (reverse bounds) and those that it paints (forward bounds). Therefore,
//! effects that only remove paint, such as a composite with the operator `in`, combine the footprints of both inputs.

use crate::Footprint;

/// The dependence of a result on the filter's source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flow {
    /// The offsets from the source to the result. `None` if the result does not depend on the source.
    pub footprint: Option<Footprint>,
    /// Whether the result may paint where the source is transparent. Such filters fill their region.
    pub fills: bool,
}

/// The properties of a filter effect that affect boxes. Footprints are in pixels. The footprint of a blur depends on the painter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect<'a> {
    /// A flood, an image, or noise, without inputs.
    Paint {
        /// Whether the paint is visible.
        is_visible: bool,
    },
    /// A blur, an offset, or a morphology.
    Spread(Footprint),
    /// The source over its shadow. Contains the shadow's footprint.
    Shadow(Footprint),
    /// A convolution with a pixel matrix.
    Convolution {
        /// The pixels that the matrix reads.
        footprint: Footprint,
        /// The value added to alpha; 0 if alpha is preserved.
        bias: f32,
    },
    /// The first input, with each pixel moved inside this footprint according to the second input.
    Displacement(Footprint),
    /// Repeats a part of the input everywhere.
    Tile,
    /// Light on a surface whose slope depends on the pixels in this footprint. Transparent pixels are lit too.
    Lighting(Footprint),
    /// A color matrix.
    ColorMatrix {
        /// The value added to alpha.
        bias: f32,
    },
    /// A component transfer. Contains the function for alpha.
    Transfer(Transfer<'a>),
    /// All inputs on top of each other: a merge, or a blend.
    Merge,
    /// The first input composited with the second.
    Composite(Composite),
}

/// A transfer function for alpha.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Transfer<'a> {
    /// The identity function.
    Identity,
    /// A table of values, interpolated or discrete.
    Table(&'a [f32]),
    /// A linear function.
    Linear {
        /// The value at 0.
        intercept: f32,
    },
    /// `amplitude * alpha^exponent + offset`
    Gamma {
        /// The factor.
        amplitude: f32,
        /// The exponent.
        exponent: f32,
        /// The offset.
        offset: f32,
    },
}

/// A compositing operator for two inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Composite {
    /// `over`, `xor`, or `lighter`: shows either input where the other is transparent.
    Over,
    /// The first input inside the second.
    In,
    /// The first input outside the second.
    Out,
    /// The first input over the second, inside the second.
    Atop,
    /// `k1 a b + k2 a + k3 b + k4`, with the coefficients in this order.
    Arithmetic([f32; 4]),
}

impl Flow {
    /// The source itself.
    pub const SOURCE: Self = Self { footprint: Some(Footprint::IDENTITY), fills: false };
    /// A transparent result.
    pub const NOTHING: Self = Self { footprint: None, fills: false };
    /// Paint that does not depend on the source.
    pub const PAINT: Self = Self { footprint: None, fills: true };

    /// The combination of two results, painted where either is painted.
    #[must_use]
    pub fn over(self, other: Self) -> Self {
        let footprint = match (self.footprint, other.footprint) {
            (Some(a), Some(b)) => Some(a.hull(b)),
            (a, b) => a.or(b),
        };
        Self { footprint, fills: self.fills || other.fills }
    }

    fn then(self, footprint: Footprint) -> Self {
        Self { footprint: self.footprint.map(|first| first.then(footprint)), ..self }
    }

    fn or_fills(self, fills: bool) -> Self {
        Self { fills: self.fills || fills, ..self }
    }
}

impl Effect<'_> {
    /// Applies the effect to its inputs. Missing inputs are transparent.
    ///
    /// ```
    /// use treebounds_core::Footprint;
    /// use treebounds_core::flow::{Effect, Flow};
    /// let blur = Effect::Spread(Footprint::blur(2.0, 2.0)).flow(&[Flow::SOURCE]);
    /// let shadow = Effect::Spread(Footprint::offset(8.0, 8.0)).flow(&[blur]);
    /// let result = Effect::Merge.flow(&[shadow, Flow::SOURCE]);
    /// assert_eq!(result.footprint, Footprint::new(0.0, 0.0, 14.0, 14.0).ok());
    /// assert!(!result.fills);
    /// ```
    pub fn flow(self, inputs: &[Flow]) -> Flow {
        let input = |index: usize| inputs.get(index).copied().unwrap_or(Flow::NOTHING);
        let (a, b) = (input(0), input(1));
        match self {
            Self::Paint { is_visible: true } => Flow::PAINT,
            Self::Paint { is_visible: false } => Flow::NOTHING,
            Self::Spread(footprint) => a.then(footprint),
            Self::Shadow(footprint) => a.then(footprint.hull(Footprint::IDENTITY)),
            Self::Convolution { footprint, bias } => a.then(footprint).or_fills(bias > 0.0),
            Self::Displacement(footprint) => a.then(footprint).over(Flow { fills: false, ..b }),
            Self::Tile => a.then(Footprint::EVERYWHERE),
            Self::Lighting(footprint) => a.then(footprint).or_fills(true),
            Self::ColorMatrix { bias } => a.or_fills(bias > 0.0),
            Self::Transfer(alpha) => a.or_fills(alpha.makes_opaque()),
            Self::Merge => inputs.iter().copied().fold(Flow::NOTHING, Flow::over),
            Self::Composite(operator) => {
                Flow { fills: operator.fills(a.fills, b.fills), ..a.over(b) }
            }
        }
    }
}

impl Transfer<'_> {
    /// Whether the function maps zero alpha to a positive value.
    fn makes_opaque(self) -> bool {
        match self {
            Self::Identity => false,
            Self::Table(values) => values.first().is_some_and(|first| *first > 0.0),
            Self::Linear { intercept } => intercept > 0.0,
            Self::Gamma { amplitude, exponent, offset } => {
                offset > 0.0 || (exponent <= 0.0 && amplitude != 0.0)
            }
        }
    }
}

impl Composite {
    /// Whether the result fills, given whether the inputs fill.
    fn fills(self, a: bool, b: bool) -> bool {
        match self {
            Self::Over => a || b,
            Self::In => a && b,
            Self::Out => a,
            Self::Atop => b,
            Self::Arithmetic([k1, k2, k3, k4]) => {
                k4 > 0.0 || (a && k2 != 0.0) || (b && k3 != 0.0) || (a && b && k1 != 0.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [Flow; 2] = [Flow::SOURCE, Flow::PAINT];

    #[test]
    fn effects_that_paint_transparent_areas_set_fills() {
        let identity = Footprint::IDENTITY;
        let gamma = |exponent| Transfer::Gamma { amplitude: 1.0, exponent, offset: 0.0 };
        let arithmetic = |k| Effect::Composite(Composite::Arithmetic(k));
        let rows = [
            (Effect::Paint { is_visible: true }, true),
            (Effect::Paint { is_visible: false }, false),
            (Effect::Spread(identity), false),
            (Effect::Shadow(identity), false),
            (Effect::Convolution { footprint: identity, bias: 0.5 }, true),
            (Effect::Convolution { footprint: identity, bias: 0.0 }, false),
            (Effect::Displacement(identity), false),
            (Effect::Tile, false),
            (Effect::Lighting(identity), true),
            (Effect::ColorMatrix { bias: 0.1 }, true),
            (Effect::ColorMatrix { bias: -0.1 }, false),
            (Effect::Transfer(Transfer::Identity), false),
            (Effect::Transfer(Transfer::Table(&[0.0, 1.0])), false),
            (Effect::Transfer(Transfer::Table(&[0.5])), true),
            (Effect::Transfer(Transfer::Linear { intercept: 0.5 }), true),
            (Effect::Transfer(gamma(2.0)), false),
            (Effect::Transfer(gamma(0.0)), true),
            (Effect::Merge, true),
            (Effect::Composite(Composite::Over), true),
            (Effect::Composite(Composite::In), false),
            (Effect::Composite(Composite::Out), false),
            (Effect::Composite(Composite::Atop), true),
            (arithmetic([1.0, 1.0, 0.0, 0.0]), false),
            (arithmetic([0.0, 0.0, 1.0, 0.0]), true),
            (arithmetic([0.0, 0.0, 0.0, 0.1]), true),
        ];
        for (effect, fills) in rows {
            assert_eq!(effect.flow(&BOTH).fills, fills, "{effect:?}");
        }
    }

    #[test]
    fn footprints_add_along_paths_and_unite_where_paths_meet() {
        let by = |x: f64| Effect::Spread(Footprint::offset(x, 0.0));
        let span = |low: f32, high: f32| Footprint::new(low, 0.0, high, 0.0).ok();
        let moved = by(5.0).flow(&[Flow::SOURCE]);
        assert_eq!(by(-2.0).flow(&[moved]).footprint, span(3.0, 3.0));
        assert_eq!(Effect::Merge.flow(&[moved, Flow::SOURCE]).footprint, span(0.0, 5.0));
        let shadow = Effect::Shadow(Footprint::offset(9.0, 0.0)).flow(&[Flow::SOURCE]);
        assert_eq!(shadow.footprint, span(0.0, 9.0));
        // The second input of a displacement adds its own footprint.
        let map = Effect::Displacement(Footprint::around(-1.0, 0.0, 1.0, 0.0));
        assert_eq!(map.flow(&[Flow::SOURCE, moved]).footprint, span(-1.0, 5.0));
        assert_eq!(by(5.0).flow(&[Flow::PAINT]), Flow::PAINT);
        assert_eq!(by(5.0).flow(&[]), Flow::NOTHING);
    }
}
