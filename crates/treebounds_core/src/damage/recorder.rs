//! Records frames with element identities.

use super::frame::{Backdrop, DamageFrame};
use super::pairing::Ident;
use crate::{BuildError, Footprint, NodeKind, Rect, Stream, StreamBuilder};
use alloc::vec::Vec;

/// A stream with element identities and backdrops, created by [`FrameRecorder`].
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedFrame {
    stream: Stream,
    pub(super) idents: Vec<Ident>,
    backdrops: Vec<Backdrop>,
}

impl RecordedFrame {
    /// The stream of elements.
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// The identity of each element, for a scene file with two frames. The hashes cover all recorded properties.
    pub fn idents(&self) -> &[Ident] {
        &self.idents
    }

    /// The backdrops and their footprints.
    pub fn backdrops(&self) -> &[Backdrop] {
        &self.backdrops
    }

    /// The frame for [`DamageFinder::widen`](super::DamageFinder::widen).
    pub fn frame(&self) -> DamageFrame<'_> {
        let (tags, rects) = (self.stream.tags(), self.stream.rects());
        DamageFrame { tags, rects, viewport: self.stream.viewport(), backdrops: &self.backdrops }
    }
}

/// A [`StreamBuilder`] that also records the identity and appearance of elements, and backdrops.
///
/// ```
/// use treebounds_core::damage::{DamageFinder, FrameRecorder, Region};
/// use treebounds_core::{BuildError, Footprint, NodeKind, Rect};
///
/// let [page, pane, text, glass] = [1, 2, 3, 4]; // keys
/// let window = Rect::new(0.0, 0.0, 200.0, 200.0);
/// let frame = |ink: u64| {
///     let mut scene = FrameRecorder::new(window);
///     scene.element(page, 0).draw(window)?;
///     scene.element(pane, 0).begin(NodeKind::Clip, Rect::new(0.0, 0.0, 100.0, 50.0))?;
///     scene.element(text, ink).draw(Rect::new(10.0, 10.0, 80.0, 20.0))?;
///     scene.end()?;
///     scene.begin_backdrop(glass, 0, Rect::new(0.0, 30.0, 200.0, 60.0), Footprint::blur(5.0, 5.0))?;
///     scene.end()?;
///     scene.finish()
/// };
/// let mut region = Region::new(window, 8);
/// DamageFinder::default().compare(&frame(0)?, &frame(7)?, &mut region);
/// // The text, and the glass where its blur reads the text: 15 pixels.
/// let damage = [Rect::new(10.0, 10.0, 80.0, 20.0), Rect::new(0.0, 30.0, 95.0, 35.0)];
/// assert_eq!(region.rects(), damage);
/// # Ok::<(), BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FrameRecorder {
    stream: StreamBuilder,
    idents: Vec<Ident>,
    backdrops: Vec<Backdrop>,
}

impl FrameRecorder {
    /// Starts an empty frame.
    pub fn new(viewport: Rect) -> Self {
        Self { stream: StreamBuilder::new(viewport), idents: Vec::new(), backdrops: Vec::new() }
    }

    /// Sets the identity of the next element, and returns the builder to add it: a draw, or the begin of a node.
    ///
    /// `key` identifies the element, see [`Ident::key`]. `look` is a hash of all properties that affect its pixels: exact shape, paint,
    /// transform, blend and filter. The element's kind and rect are hashed automatically.
    pub fn element(&mut self, key: u64, look: u64) -> &mut StreamBuilder {
        self.idents.resize(self.stream.len(), Ident::default());
        self.idents.push(Ident { key, hash: look });
        &mut self.stream
    }

    /// Begins a layer with a backdrop filter of the given footprint, and returns the index of its begin.
    ///
    /// # Errors
    /// [`BuildError::Stream`] if the box contains NaN, or if there are too many elements.
    pub fn begin_backdrop(
        &mut self,
        key: u64,
        look: u64,
        rect: Rect,
        footprint: Footprint,
    ) -> Result<u32, BuildError> {
        let look = hash(look, footprint.to_rect());
        let node = self.element(key, look).begin_filling(NodeKind::ClipBlend, rect)?;
        self.backdrops.push(Backdrop { node, footprint });
        Ok(node)
    }

    /// Ends the innermost node.
    ///
    /// # Errors
    /// [`BuildError::NothingOpen`] if no node is open; [`BuildError::Stream`] if there are too many elements.
    pub fn end(&mut self) -> Result<u32, BuildError> {
        self.stream.end()
    }

    /// Finishes the frame.
    ///
    /// # Errors
    /// As for [`StreamBuilder::finish`].
    pub fn finish(mut self) -> Result<RecordedFrame, BuildError> {
        let stream = self.stream.finish()?;
        self.idents.resize(stream.len(), Ident::default());
        let elements = stream.tags().iter().zip(stream.rects());
        for (ident, (tag, rect)) in self.idents.iter_mut().zip(elements) {
            ident.hash = mix(hash(ident.hash, *rect), tag.bits().into());
        }
        Ok(RecordedFrame { stream, idents: self.idents, backdrops: self.backdrops })
    }
}

fn hash(look: u64, rect: Rect) -> u64 {
    rect.to_array().iter().fold(look, |hash, edge| mix(hash, edge.to_bits().into()))
}

/// One round of a hash function in which every output bit depends on all input bits.
fn mix(hash: u64, number: u64) -> u64 {
    let x = (hash ^ number.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (x ^ (x >> 31)).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}
