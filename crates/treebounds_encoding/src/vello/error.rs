//! Errors of reading an encoding.

use treebounds_core::BuildError;

/// Why an encoding could not be read. Every case means that its streams are damaged: encode the scene again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VelloError {
    /// An unknown path tag, or one that is not allowed in its place.
    #[error("path tag {tag} has the value {bits:#04x}, which is not valid there")]
    BadPathTag {
        /// Its index among the path tags.
        tag: usize,
        /// Its value.
        bits: u8,
    },
    /// One of the path's streams is too short.
    #[error("the {stream} end before path tag {tag}, which needs more of them")]
    StreamEnds {
        /// `path data`, `transforms` or `styles`.
        stream: &'static str,
        /// The path tag.
        tag: usize,
    },
    /// A segment before any transform or style.
    #[error("path tag {tag} is a segment, but no {what} is set")]
    NotSet {
        /// `transform` or `style`.
        what: &'static str,
        /// The path tag of the segment.
        tag: usize,
    },
    /// A style with an unknown join or cap.
    #[error("the style of path tag {tag} has the flags {bits:#010x}, with an unknown join or cap")]
    BadStyle {
        /// The tag.
        tag: usize,
        /// The style's flags.
        bits: u32,
    },
    /// A coordinate, a transform or a style contains NaN.
    #[error("path {path} has a coordinate that is NaN; check its shape, transform and style")]
    NotANumber {
        /// The path, counted from 0.
        path: usize,
    },
    /// The last path has no end.
    #[error("the path tags end inside path {path}")]
    PathOpen {
        /// The path, counted from 0.
        path: usize,
    },
    /// There is not exactly one path per draw object.
    #[error("{objects} draw objects need {objects} paths, but there are {paths}")]
    PathsDiffer {
        /// The number of draw objects.
        objects: usize,
        /// The number of paths.
        paths: usize,
    },
    /// An unknown draw tag.
    #[error("draw object {object} has the unknown tag {bits:#x}")]
    UnknownDrawTag {
        /// The draw object.
        object: usize,
        /// Its tag.
        bits: u32,
    },
    /// A draw object has no data.
    #[error("the draw data ends before the data of draw object {object}")]
    DrawDataEnds {
        /// The draw object.
        object: usize,
    },
    /// A layer ends that did not begin.
    #[error("draw object {object} ends a layer, but none is open")]
    NothingOpen {
        /// The draw object.
        object: usize,
    },
    /// A glyph run that refers to data outside the encoding.
    #[error("glyph run {run}: {problem}")]
    BadGlyphRun {
        /// The run.
        run: usize,
        /// What is wrong.
        problem: &'static str,
    },
    /// The elements do not form a stream.
    #[error(transparent)]
    Build(#[from] BuildError),
}
