//! The region of a filter, as the painter places it.

use super::extent::Extent;
use kurbo::Affine;
use usvg::Group;

/// The box, in device pixels, that holds whatever the group's filters paint;
/// `None` where the group has no filter.
///
/// A filter works on whole pixels of a layer that is turned with the element, so
/// its region is rounded outward there, before it is turned into device space.
pub(super) fn filter_extent(group: &Group, transform: Affine) -> Option<Extent> {
    let region = group.filters_bounding_box()?;
    let [a, b, c, d, ..] = transform.as_coeffs();
    let (sx, sy) = (a.hypot(b), c.hypot(d));
    let turn = Affine::new([a / sx, b / sx, c / sy, d / sy, 0.0, 0.0]);
    let region = Extent::from(region.to_rect());
    if turn.determinant() == 0.0 || !turn.is_finite() {
        return Some(region.transform(transform).round_out());
    }
    let layer = region.transform(turn.inverse() * transform).round_out();
    Some(layer.transform(turn))
}
