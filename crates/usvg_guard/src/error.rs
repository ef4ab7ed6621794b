//! Limits and errors of reading a file.

use crate::contain::Ended;
use crate::words::bytes;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::time::Duration;

/// The maximum number of elements and texts in usvg, counting the content of every use.
pub const USVG_ELEMENTS: u64 = 1_000_000;

/// The maximum nesting in usvg, where a use counts as two levels.
pub const USVG_NESTING: u64 = 1024;

/// Limits for reading a file.
///
/// [`Guard::parse`](crate::Guard::parse) limits the time and memory of its child, whatever the file contains.
/// [`Guard::parse_here`](crate::Guard::parse_here) checks the other limits too, early and with a clearer message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Time for the child, of which parsing may use half; 2 s by default. Parsing in this process has no timeout.
    pub time: Duration,
    /// Memory for the child in bytes, without [`LARGE_STACK`](crate::LARGE_STACK); 1 GiB by default. Linux and Windows
    /// only.
    pub memory: u64,
    /// Bytes of the file, of its decompressed text, and of each SVG image in the file; 256 MiB by default.
    pub bytes: u64,
    /// Bytes of the text with expanded entities, if these more than double it; 64 MiB by default.
    pub expanded_bytes: u64,
    /// Number of elements; 1,000,000 by default, which is usvg's own limit, [`USVG_ELEMENTS`].
    pub elements: u64,
    /// Levels of nesting, where a use counts as two; 1,024 by default, which is usvg's own limit, [`USVG_NESTING`].
    pub nesting: u64,
    /// Attributes per element; 4,096 by default. The XML parser compares each with every other.
    pub attributes: u64,
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
        }
    }
}

/// The reason why a file cannot be read. Each message is one line of at most a few hundred characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Error {
    /// The file has no bytes.
    #[error("the file is empty; an SVG begins with an <svg> element")]
    Empty,
    /// The gzip data is damaged or truncated. Contains the decompressor's message.
    #[error("the gzip data is damaged or cut short ({0}); compress the SVG again")]
    BadGzip(String),
    /// The bytes are not text in this encoding.
    #[error("this is not {0} text: it is not an SVG, or it has another encoding; save it as UTF-8")]
    NotText(String),
    /// The text is not XML. Contains the parser's message.
    #[error("this is not well-formed XML: {0}")]
    BadXml(String),
    /// The text is XML, but its root element is this one.
    #[error("the root element is {0}, not svg of http://www.w3.org/2000/svg; this is not an SVG")]
    NotSvg(String),
    /// The drawing has no area.
    #[error("the drawing has no size; give <svg> a positive width and height, or a viewBox")]
    NoSize,
    /// The file exceeds a limit. Contains the limited quantity, such as `the bytes of the file`, and the limit.
    #[error("{0} exceed the limit of {limit}; split or simplify the drawing", limit = amount(.0, *.1))]
    TooMany(Cow<'static, str>, u64),
    /// With every use expanded, there are too many elements, or they are nested too deeply.
    #[error(
        "with all uses there are over 1,000,000 elements or 1,024 levels; remove uses or groups"
    )]
    TooManyUsed,
    /// Elements are nested deeper than this limit.
    #[error("elements are nested more than {0} deep, where a use counts as two; remove groups")]
    TooNested(u64),
    /// References are nested more deeply than the stack allows.
    #[error("references are nested too deeply for the stack; shorten the longest chain of them")]
    TooDeep,
    /// A reference of this element is circular, and could not be left out.
    #[error("a reference of {0} is circular; remove it")]
    Circle(String),
    /// usvg rejects the drawing, for this reason.
    #[error("the SVG cannot be read: {0}")]
    Unreadable(String),
    /// usvg panicked, which is a bug in usvg.
    #[error("the SVG library failed on this file, which is a bug in it: {0}")]
    Panicked(String),
    /// A thread with a stack of [`LARGE_STACK`](crate::LARGE_STACK) could not be started, for this reason.
    #[error("a thread with a large stack could not be started: {0}")]
    NoStack(String),
    /// The parsing process was stopped at a limit, or crashed.
    #[error("the drawing could not be read: {0}")]
    #[serde(skip)]
    Stopped(#[from] Ended),
}

/// Formats a limit with its unit.
fn amount(what: &str, limit: u64) -> String {
    if what.contains("bytes") {
        return bytes(limit);
    }
    let digits = limit.to_string();
    let threes = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    threes.collect::<Vec<_>>().join(",")
}
