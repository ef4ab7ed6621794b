//! What can be wrong with an SVG.

use treebounds_core::BuildError;

/// What the file or a library says, on one line.
pub(super) fn one_line(text: &str) -> String {
    text.replace('\n', "\\n").replace('\r', "\\r")
}

/// Why an SVG could not be encoded. Each message is one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SvgError {
    /// There are no bytes.
    #[error("the file is empty; an SVG begins with an <svg> element")]
    Empty,
    /// The gzip data is broken or cut short.
    #[error("the gzip data is damaged or cut short ({reason}); compress the SVG again")]
    BadGzip {
        /// What the decompressor says.
        reason: String,
    },
    /// The file, or what it decompresses or expands to, is too long.
    #[error("{what} is more than {max} bytes long; split the drawing")]
    TooLong {
        /// What is too long.
        what: &'static str,
        /// The most that is read.
        max: u64,
    },
    /// The text is not UTF-8.
    #[error(
        "byte {at} is not UTF-8 text, so this is no SVG (or has another encoding); save it as UTF-8"
    )]
    NotText {
        /// The first byte that is wrong.
        at: usize,
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
    /// Elements are nested, or refer to each other, too deeply.
    #[error("elements are nested {depth} deep, counting references; at most {max} can be read")]
    TooDeep {
        /// How deep, as far as was counted.
        depth: u64,
        /// How deep is possible.
        max: u64,
    },
    /// Following every reference makes too many elements.
    #[error(
        "following every use, pattern, mask, marker and clip path makes more than {max} elements; repeat less"
    )]
    TooMuch {
        /// How many are possible.
        max: u64,
    },
    /// Following every reference makes too many definitions.
    #[error(
        "the patterns, masks, markers, filters and clip paths are copied more than {max} times; use fewer, or userSpaceOnUse units"
    )]
    TooManyCopies {
        /// How many are possible.
        max: u64,
    },
    /// Text takes too long to lay out.
    #[error(
        "the text takes more than {max} steps to lay out, the square of the letters of each <text>, more with each <tspan>, and without end on a path that is too long; split it into several <text>, or shorten the path"
    )]
    TooMuchText {
        /// How many are possible.
        max: u64,
    },
    /// Arcs take too long to follow.
    #[error(
        "the arcs take more than {max} steps to follow, more the larger their radii are; use smaller radii, or lines"
    )]
    TooLargeArcs {
        /// How many are possible.
        max: u64,
    },
    /// A style sheet has a selector that takes too long to match.
    #[error(
        "the style sheet has a selector of {parts} parts, too many for elements nested {depth} deep; shorten it"
    )]
    SlowSelector {
        /// How many ancestors it names.
        parts: u64,
        /// How deep the elements are nested.
        depth: u64,
    },
    /// A reference leads back to itself.
    #[error("the references lead round in a circle: {path}; break it at one of them")]
    Circle {
        /// The elements on the way, by id.
        path: String,
    },
    /// The SVG library gave up.
    #[error("the SVG cannot be read: {reason}")]
    Unreadable {
        /// What it says.
        reason: String,
    },
    /// The SVG library panicked, which is a bug in it.
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
    /// The elements do not make a stream.
    #[error(transparent)]
    Stream(#[from] BuildError),
}
