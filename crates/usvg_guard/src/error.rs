//! How much a file may take, and why it cannot be read.

use crate::contain::Ended;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
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

/// Why a file cannot be read. Each message is one line of at most a few hundred characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Error {
    /// There are no bytes.
    #[error("the file is empty; an SVG begins with an <svg> element")]
    Empty,
    /// The gzip data is broken or cut short, as the decompressor says.
    #[error("the gzip data is damaged or cut short ({0}); compress the SVG again")]
    BadGzip(String),
    /// The bytes are not text in this encoding.
    #[error("this is not {0} text, so it is no SVG (or has another encoding); save it as UTF-8")]
    NotText(String),
    /// The text is not XML, as the parser says.
    #[error("this is not well-formed XML: {0}")]
    BadXml(String),
    /// The text is XML, but its outermost element is this one.
    #[error("the outermost element is {0}, not svg of http://www.w3.org/2000/svg; this is no SVG")]
    NotSvg(String),
    /// The drawing has no area.
    #[error("the drawing has no size; give <svg> a positive width and height, or a viewBox")]
    NoSize,
    /// There is more of something than a limit allows.
    #[error("{what} exceed the limit of {max}; split or simplify the drawing")]
    TooMany {
        /// What there is too much of, such as `the bytes of the file`.
        what: Cow<'static, str>,
        /// The limit.
        max: u64,
    },
    /// There are too many elements when what uses show is counted.
    #[error(
        "with all uses followed there are more than 1,000,000 elements or 1,024 levels, which is the most that usvg reads; repeat or nest less"
    )]
    TooManyUsed,
    /// Elements are nested deeper than this, which is a limit.
    #[error("elements are nested more than {0} deep, a use counted as two; take out groups")]
    TooNested(u64),
    /// Elements refer to each other more deeply than the stack holds.
    #[error("elements refer to each other too deeply for the stack; refer less deeply")]
    TooDeep,
    /// References lead round in a circle by these ids, and cannot be left out.
    #[error("the references lead round in a circle: {0}; break it at one of them")]
    Circle(String),
    /// usvg cannot read the drawing, for this reason.
    #[error("the SVG cannot be read: {0}")]
    Unreadable(String),
    /// usvg panicked, which is a bug in it.
    #[error("the SVG library failed on this file, which is a bug in it: {0}")]
    Panicked(String),
    /// A thread with a stack of [`LARGE_STACK`](crate::LARGE_STACK) could not be started, for this reason.
    #[error("no thread with a large stack could be started: {0}")]
    NoStack(String),
    /// The process that parsed was stopped at a limit, or crashed.
    #[error("the drawing could not be read: {0}")]
    #[serde(skip)]
    Stopped(#[from] Ended),
}

impl Error {
    pub(crate) fn too_many(what: &'static str, max: u64) -> Self {
        Self::TooMany { what: what.into(), max }
    }
}
