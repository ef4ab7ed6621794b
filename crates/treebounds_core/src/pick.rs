//! Picking: finds the elements whose boxes contain a point.

use crate::{Rect, Role, Stream};

/// Finds the elements that may be visible at a point, front to back: draws, and nodes that fill their clip, behind their contents.
///
/// `landings` are the boxes of the elements on the canvas, from [`landings`](crate::reference::landings). For a stream without
/// filters, they equal the boxes of its [`Bounds`](crate::Bounds). All clips around an element cut its box, so elements that are
/// scrolled out of view are not found. Elements with the rect [`Rect::NOTHING`] are never found. Elements with the rect
/// [`Rect::EVERYTHING`], whose extent is unknown, are found everywhere inside the clips around them.
///
/// Cost: one comparison per element, from the front to the last element returned.
///
/// ```
/// use treebounds_core::{NodeKind, Rect, StreamBuilder, pick::pick, reference};
///
/// let mut scene = StreamBuilder::new(Rect::new(0.0, 0.0, 100.0, 100.0));
/// let page = scene.draw(Rect::new(0.0, 0.0, 100.0, 100.0))?;
/// scene.begin(NodeKind::Clip, Rect::new(0.0, 0.0, 100.0, 20.0))?;
/// let button = scene.draw(Rect::new(10.0, 10.0, 40.0, 40.0))?;
/// scene.end()?;
/// let stream = scene.finish()?;
/// let bounds = reference::bounds(&stream);
/// let at = |point| pick(&stream, &bounds.boxes, point).collect::<Vec<_>>();
/// assert_eq!(at([15.0, 15.0]), [button, page]);
/// assert_eq!(at([15.0, 30.0]), [page]); // the clip hides this part of the button
/// # Ok::<(), treebounds_core::BuildError>(())
/// ```
pub fn pick<'a>(
    stream: &'a Stream,
    landings: &'a [Rect],
    point: [f32; 2],
) -> impl Iterator<Item = u32> + 'a {
    let elements = stream.tags().iter().zip(landings).enumerate().rev();
    elements.filter_map(move |(element, (tag, landing))| {
        let paints = match tag.role() {
            Role::Draw => true,
            Role::Begin => tag.is_filling(),
            Role::End => false,
        };
        (paints && landing.holds(point)).then_some(element as u32)
    })
}

impl Rect {
    /// Whether the rect contains a point. Left and top edges are inclusive, right and bottom edges exclusive.
    #[inline]
    pub fn holds(self, [x, y]: [f32; 2]) -> bool {
        self.x0 <= x && x < self.x1 && self.y0 <= y && y < self.y1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Footprint, NodeKind, StreamBuilder, reference};
    use alloc::vec::Vec;

    #[test]
    fn finds_filtered_elements_at_their_landing_in_front_of_floods() {
        let mut scene = StreamBuilder::new(Rect::new(0.0, 0.0, 100.0, 100.0));
        let flood = scene.begin_filling(NodeKind::ClipBlend, Rect::new(0.0, 0.0, 60.0, 60.0));
        scene.begin_spread(Footprint::offset(50.0, 0.0)).unwrap();
        let draw = scene.draw(Rect::new(0.0, 0.0, 10.0, 10.0)).unwrap();
        scene.end().unwrap();
        scene.end().unwrap();
        let (stream, flood) = (scene.finish().unwrap(), flood.unwrap());
        let landings = reference::landings(&stream, &reference::bounds(&stream));
        let at = |x, y| pick(&stream, &landings, [x, y]).collect::<Vec<_>>();
        assert_eq!(at(50.0, 0.0), [draw, flood]);
        assert_eq!(at(49.5, 0.0), [flood]);
        assert!(at(60.0, 0.0).is_empty(), "the right edge is outside");
    }
}
