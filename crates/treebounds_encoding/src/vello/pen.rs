//! What is set for the segments that follow.

use crate::geometry::{Extent, fill_extent, stroke_extent};
use kurbo::{Affine, Cap, Join, PathEl, Stroke};
use treebounds_core::NotANumber;
use vello_encoding::Style;
use vello_encoding::math::f16_to_f32;

/// How a path is painted.
#[derive(Clone, Debug)]
pub(super) enum Paint {
    Fill,
    Stroke(Stroke),
}

/// The transform and the paint that are set, once they are.
#[derive(Clone, Debug, Default)]
pub(super) struct Pen {
    pub(super) transform: Option<Affine>,
    pub(super) paint: Option<Paint>,
}

/// Vello flattens curves to within this many pixels.
const FLATTENING: f64 = 0.25;

/// Below this many pixels from the origin, what `f32` loses does not show.
const NEAR: f64 = 8192.0;

/// What may be lost, of the largest number met, in the few `f32` operations from
/// a point to a pixel.
const LOSS: f64 = 1.0 / (1 << 20) as f64;

impl Pen {
    /// How far Vello may paint along these elements.
    pub(super) fn extent(&self, path: &[PathEl]) -> Result<Extent, NotANumber> {
        let transform = self.transform.unwrap_or_default();
        let elements = path.iter().copied();
        let mut extent = match &self.paint {
            Some(Paint::Stroke(style)) => stroke_extent(elements, style, transform)?,
            _ => fill_extent(elements, transform)?,
        };
        let slack = slack(path, transform);
        extent.inflate(slack, slack);
        Ok(extent)
    }
}

/// How far Vello may stray from these elements.
fn slack(path: &[PathEl], transform: Affine) -> f64 {
    let is_curve = |el: &PathEl| matches!(el, PathEl::QuadTo(..) | PathEl::CurveTo(..));
    let flattening = if path.iter().any(is_curve) { FLATTENING } else { 0.0 };
    let [a, b, c, d, e, f] = transform.as_coeffs().map(f64::abs);
    let ends = path.iter().filter_map(PathEl::end_point);
    let largest = ends.fold(0.0_f64, |largest, p| largest.max(p.x.abs()).max(p.y.abs()));
    let met = largest * (a + c).max(b + d) + e.max(f);
    if met > NEAR { flattening + met * LOSS } else { flattening }
}

impl Paint {
    /// What this style says, or `None` where it has a join or a cap that does not
    /// exist.
    pub(super) fn of(style: &Style) -> Option<Self> {
        let flags = style.flags_and_miter_limit;
        if flags & Style::FLAGS_STYLE_BIT == 0 {
            return Some(Self::Fill);
        }
        let join = match flags & Style::FLAGS_JOIN_MASK {
            Style::FLAGS_JOIN_BITS_BEVEL => Join::Bevel,
            Style::FLAGS_JOIN_BITS_MITER => Join::Miter,
            Style::FLAGS_JOIN_BITS_ROUND => Join::Round,
            _ => return None,
        };
        let miter_limit = f16_to_f32((flags & Style::MITER_LIMIT_MASK) as u16);
        let stroke = Stroke::new(style.line_width.into())
            .with_join(join)
            .with_miter_limit(miter_limit.into())
            // The bits of the start cap are those of the end cap, two further up.
            .with_start_cap(cap((flags & Style::FLAGS_START_CAP_MASK) >> 2)?)
            .with_end_cap(cap(flags & Style::FLAGS_END_CAP_MASK)?);
        Some(Self::Stroke(stroke))
    }
}

fn cap(bits: u32) -> Option<Cap> {
    match bits {
        Style::FLAGS_CAP_BITS_BUTT => Some(Cap::Butt),
        Style::FLAGS_CAP_BITS_SQUARE => Some(Cap::Square),
        Style::FLAGS_CAP_BITS_ROUND => Some(Cap::Round),
        _ => None,
    }
}
