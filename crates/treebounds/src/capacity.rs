//! How much a set of buffers holds.

use treebounds_core::Stream;

/// How many elements and nodes a scratch and its buffers are made for.
///
/// A node is a begin or an end, so `nodes <= elements` is enough for any stream;
/// fewer save memory where the share of nodes is known, and of a large scene also time:
/// see [`Stage`](crate::Stage).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Capacity {
    /// The most elements.
    pub elements: u32,
    /// The most begins and ends among them.
    pub nodes: u32,
}

impl Capacity {
    /// Just enough for this stream.
    pub fn of(stream: &Stream) -> Self {
        // A stream's length fits: `Stream::MAX_LEN`.
        Self { elements: stream.len() as u32, nodes: stream.node_count() as u32 }
    }
}
