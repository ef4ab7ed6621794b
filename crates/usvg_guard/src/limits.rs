//! How much a file may take.

use crate::contain;
use crate::files::FILES;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The most elements and texts that usvg reads, what its uses show included.
pub const USVG_ELEMENTS: u64 = 1_000_000;

/// The deepest nesting that usvg reads, where a use counts as two levels.
pub const USVG_NESTING: u64 = 1024;

/// How much a file may take.
///
/// Time and memory hold for [`Guard::parse`](crate::Guard::parse), whatever is in the file; the rest is counted in any case,
/// and gives a better message at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Time until the tree is there: 2 s.
    pub time: Duration,
    /// Bytes of memory for the child, not counting [`LARGE_STACK`](crate::LARGE_STACK); parsing here needs no more: 1 GiB.
    /// Linux alone.
    pub memory: u64,
    /// Bytes of the file, of what gzip makes of it, and of all SVG images in it together: 256 MiB.
    pub bytes: u64,
    /// Bytes of the text with its entities expanded, where those make it more than twice as long: 64 MiB.
    pub expanded_bytes: u64,
    /// Elements: 1,000,000, which is usvg's own limit, [`USVG_ELEMENTS`].
    pub elements: u64,
    /// Levels of nesting, a use counted as two: 1,024, which is usvg's own limit, [`USVG_NESTING`].
    pub nesting: u64,
    /// Attributes of one element: 4,096. The XML parser compares each with every other.
    pub attributes: u64,
    /// Bytes of a linked image file: 64 MiB. All of a drawing together may have four times as many.
    pub image_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(2),
            memory: 1 << 30,
            bytes: 256 << 20,
            expanded_bytes: 64 << 20,
            elements: USVG_ELEMENTS,
            nesting: USVG_NESTING,
            attributes: 4096,
            image_bytes: 64 << 20,
        }
    }
}

impl Limits {
    /// The limits of a process that parses.
    pub(crate) fn contained(&self) -> contain::Limits {
        contain::Limits {
            time: self.time,
            memory: self.memory.saturating_add(crate::LARGE_STACK as u64),
            // The child sends the linked files.
            answer_bytes: self.image_bytes.saturating_mul(FILES).saturating_add(1 << 20),
            ..contain::Limits::default()
        }
    }
}
