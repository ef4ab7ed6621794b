//! The box of a clip path.

use super::SvgError;
use super::depth::Depth;
use super::extent::{Extent, affine};
use super::shape::fill_extent;
use kurbo::Affine;
use usvg::{ClipPath, Group, Node};

/// The box outside of which the clip path lets nothing through.
///
/// A clip path shows the union of its children's fills; a clip path on it, or on
/// one of its children, cuts that further. `user` is the transform of the
/// element that is clipped.
pub(super) fn clip_extent(clip: &ClipPath, user: Affine, depth: Depth) -> Result<Extent, SvgError> {
    let mut out = Extent::EVERYTHING;
    let mut next = Some(clip);
    while let Some(clip) = next {
        let shapes = shapes_extent(clip.root(), user * affine(clip.transform()), depth)?;
        depth.shared.uses(clip.id(), shapes);
        out = out.intersect(shapes);
        next = clip.clip_path().filter(|_| !out.is_empty());
    }
    Ok(out)
}

/// The union of the fills inside the group, each cut by the clip paths on its way.
fn shapes_extent(root: &Group, transform: Affine, depth: Depth) -> Result<Extent, SvgError> {
    let mut out = Extent::NOTHING;
    let mut open = vec![(root, transform, Extent::EVERYTHING)];
    while let Some((group, transform, limit)) = open.pop() {
        for child in group.children() {
            depth.spend()?;
            match child {
                Node::Path(path) if path.is_visible() => {
                    let shape = fill_extent(path, transform);
                    depth.shared.uses(path.id(), shape);
                    out = out.union(limit.intersect(shape));
                }
                Node::Text(text) => open.push((text.flattened(), transform, limit)),
                Node::Group(child) => {
                    let transform = transform * affine(child.transform());
                    let limit = match child.clip_path() {
                        Some(clip) => {
                            limit.intersect(clip_extent(clip, transform, depth.deeper()?)?)
                        }
                        None => limit,
                    };
                    open.push((child, transform, limit));
                }
                Node::Path(_) | Node::Image(_) => {}
            }
        }
    }
    Ok(out)
}
