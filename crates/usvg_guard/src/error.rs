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
    /// The gzip data is broken or cut short.
    #[error("the gzip data is damaged or cut short ({reason}); compress the SVG again")]
    BadGzip {
        /// What the decompressor says.
        reason: String,
    },
    /// The bytes are not text in the encoding that the file declares.
    #[error(
        "this is not {encoding} text, so it is no SVG (or has another encoding); save it as UTF-8"
    )]
    NotText {
        /// The encoding.
        encoding: Cow<'static, str>,
    },
    /// The text is not XML.
    #[error("this is not well-formed XML: {reason}")]
    BadXml {
        /// What the XML parser says, and where.
        reason: String,
    },
    /// The text is XML, but not SVG.
    #[error(
        "the outermost element is {found}, not svg of http://www.w3.org/2000/svg; this is no SVG"
    )]
    NotSvg {
        /// The element that was found.
        found: String,
    },
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
    /// Elements are nested deeper than usvg reads.
    #[error("elements are nested more than {max} deep, a use counted as two; take out groups")]
    TooNested {
        /// How deep is possible.
        max: u64,
    },
    /// Elements refer to each other more deeply than the stack holds.
    #[error("elements refer to each other too deeply for the stack; refer less deeply")]
    TooDeep,
    /// A reference leads back to itself, and cannot be left out.
    #[error("the references lead round in a circle: {path}; break it at one of them")]
    Circle {
        /// The elements on the way, by id.
        path: String,
    },
    /// usvg gave up.
    #[error("the SVG cannot be read: {reason}")]
    Unreadable {
        /// What usvg says.
        reason: String,
    },
    /// usvg panicked, which is a bug in it.
    #[error("the SVG library failed on this file, which is a bug in it: {reason}")]
    Panicked {
        /// The message of the panic.
        reason: String,
    },
    /// The system has no memory for a thread with a large stack.
    #[error("no thread with a stack of {bytes} bytes could be started: {reason}")]
    NoStack {
        /// The size of the stack.
        bytes: usize,
        /// What the system says.
        reason: String,
    },
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
                | E::TooNested { .. }
                | E::TooDeep
                | E::Circle { .. }
                | E::Stopped(_)
        )
    }
}

impl From<usvg::roxmltree::Error> for Error {
    fn from(error: usvg::roxmltree::Error) -> Self {
        Self::BadXml { reason: one_line(&error.to_string()) }
    }
}
