//! The box of a mask.
//!
//! A mask multiplies what it is applied to by its own coverage or luminance,
//! which is zero wherever it paints nothing. So it clips to the box of what it
//! paints inside its region, and a mask on the mask cuts that further.

use super::SvgError;
use super::depth::Depth;
use super::extent::Extent;
use super::sink::Union;
use super::walk::walk;
use kurbo::Affine;
use usvg::Mask;

/// The box outside of which the mask lets nothing through. `user` is the
/// transform of the element that is masked.
pub(super) fn mask_extent(mask: &Mask, user: Affine, depth: Depth) -> Result<Extent, SvgError> {
    let mut out = Extent::EVERYTHING;
    let mut next = Some(mask);
    while let Some(mask) = next {
        let region = Extent::from(mask.rect().to_rect()).transform(user);
        let mut content = Union::inside(out.intersect(region));
        walk(mask.root(), user, depth.deeper()?, &mut content)?;
        content.members().for_each(|(object, extent)| depth.shared.uses_object(object, extent));
        out = content.finish();
        depth.shared.uses(mask.id(), out);
        next = mask.mask().filter(|_| !out.is_empty());
    }
    Ok(out)
}
