//! How much a set of buffers holds.

use treebounds_core::Stream;

/// How many elements and markers a scratch and its buffers are made for.
///
/// A marker is a begin or an end, so `markers <= elements` is enough for any stream;
/// fewer save memory where the share of markers is known, and of a large scene also time:
/// see [`Stage`](crate::Stage).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Capacity {
    /// The most elements.
    pub elements: u32,
    /// The most markers (begins and ends) among them.
    pub markers: u32,
}

impl Capacity {
    /// Just enough for this stream.
    pub fn of(stream: &Stream) -> Self {
        // A stream's length fits: `Stream::MAX_LEN`.
        Self { elements: stream.len() as u32, markers: stream.marker_count() as u32 }
    }
}
