//! Why a file cannot be read.

use crate::contain::{Ended, one_line};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

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

    /// Whether the file would take too much, and is not merely broken.
    pub fn is_too_much(&self) -> bool {
        use Error as E;
        matches!(
            self,
            E::TooMany { .. }
                | E::TooManyUsed
                | E::TooNested(_)
                | E::TooDeep
                | E::Circle(_)
                | E::Stopped(_)
        )
    }
}

impl From<usvg::roxmltree::Error> for Error {
    fn from(error: usvg::roxmltree::Error) -> Self {
        Self::BadXml(one_line(&error.to_string()))
    }
}
