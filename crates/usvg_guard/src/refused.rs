//! Why a file was refused.

/// What the file or a library says, on one line.
pub(crate) fn one_line(text: &str) -> String {
    text.replace('\n', "\\n").replace('\r', "\\r")
}

/// Why a file was refused. Each message is one line: what there is too much of, the limit, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
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
        /// The most bytes that are read.
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
    /// Elements have too many attributes: XML parsers compare every attribute of an element with every other.
    #[error("an element has more than {max} attributes; give it fewer")]
    TooManyAttributes {
        /// The most attributes of one element.
        max: u64,
    },
    /// There are too many namespaces.
    #[error("the file declares more than {max} prefixes of namespaces; declare fewer")]
    TooManyNamespaces {
        /// The most prefixes of one file.
        max: u64,
    },
    /// Entities are looked up too often.
    #[error("entities times the references to them are more than {max}; use fewer entities")]
    TooManyEntities {
        /// The most that entities times references may be.
        max: u64,
    },
    /// There are too many nodes of XML.
    #[error(
        "the file has more than {max} nodes of XML, elements, texts and comments; split the drawing, or leave out blanks and comments"
    )]
    TooManyNodes {
        /// The most nodes that are read.
        max: u64,
    },
    /// The file has more elements than usvg reads.
    #[error(
        "the drawing has {found} elements and texts; usvg reads at most {max}; split the drawing into several files"
    )]
    TooManyElements {
        /// How many elements and stretches of text there are.
        found: u64,
        /// The most that are read.
        max: u64,
    },
    /// The file has more elements than usvg reads at once, and cannot be cut.
    #[error(
        "usvg reads at most {max} elements at once, and the drawing cannot be read in pieces: {why}; split it into several files", max = crate::USVG_ELEMENTS
    )]
    NotInPieces {
        /// What stands against it.
        why: String,
    },
    /// The file has more elements than usvg reads when what its uses show is counted.
    #[error(
        "with every use followed the drawing has more than {max} elements and texts, which is the most that usvg reads; repeat less"
    )]
    TooManyUsed {
        /// The most that are read.
        max: u64,
    },
    /// Elements are nested deeper than usvg reads.
    #[error(
        "elements are nested {depth} deep, a use counted as two; usvg reads no more than {max} levels, however large the stack; take out groups"
    )]
    TooNested {
        /// How deep, as far as was counted.
        depth: u64,
        /// How deep is possible.
        max: u64,
    },
    /// Elements are nested, or refer to each other, more deeply than the stack holds.
    #[error(
        "elements are nested {depth} deep, counting each reference as 16; the stack holds {max} levels; refer less deeply"
    )]
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
    /// Paths are too long, each as often as it is shown.
    #[error(
        "the paths have more than {max} numbers, each path as often as it is shown; simplify or repeat less"
    )]
    TooManySegments {
        /// How many are possible.
        max: u64,
    },
    /// What is copied for every shape takes too much memory.
    #[error(
        "gradients, dashes, ids and image data take more than {max} bytes, each as often as it is used; use fewer or shorter ones"
    )]
    TooMuchMemory {
        /// How many bytes are possible.
        max: u64,
    },
    /// Attributes are looked up and read too often.
    #[error(
        "reading the attributes takes more than {max} steps, each attribute as often as it is inherited and repeated; repeat or nest less"
    )]
    TooManySteps {
        /// How many are possible.
        max: u64,
    },
    /// Style sheets take too long to match.
    #[error(
        "matching the style sheets takes more than {max} steps, rules times elements and more for selectors of several parts; use fewer rules or shorter selectors"
    )]
    SlowStyles {
        /// How many are possible.
        max: u64,
    },
    /// Which declaration of a property counts cannot be told.
    #[error(
        "the property {property} is declared after 'inherit' in one place and '!important' in another, which usvg reads unlike CSS; declare it once"
    )]
    UnclearStyles {
        /// The property.
        property: String,
    },
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
}

impl Refused {
    /// Whether the file would cost too much, and is not merely broken.
    pub fn is_too_much(&self) -> bool {
        use Refused as R;
        !matches!(
            self,
            R::Empty
                | R::BadGzip { .. }
                | R::NotText { .. }
                | R::BadXml { .. }
                | R::NotSvg { .. }
                | R::NoSize
                | R::Unreadable { .. }
        )
    }
}
