//! Errors of reading an encoding.

use treebounds_core::BuildError;

/// The reason why an encoding cannot be read. In every case, its streams are inconsistent: encode the scene
/// again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VelloError {
    /// A path tag is unknown or not allowed at its position.
    #[error("path tag {tag} has the value {bits:#04x}, which is not valid there")]
    BadPathTag {
        /// The index of the path tag.
        tag: usize,
        /// The value of the path tag.
        bits: u8,
    },
    /// One of the path streams is too short.
    #[error("the {stream} end before path tag {tag}, which needs more of them")]
    StreamEnds {
        /// `path data`, `transforms` or `styles`.
        stream: &'static str,
        /// The index of the path tag.
        tag: usize,
    },
    /// A segment precedes the first transform or style.
    #[error("path tag {tag} is a segment, but no {what} is set")]
    NotSet {
        /// `transform` or `style`.
        what: &'static str,
        /// The index of the segment's path tag.
        tag: usize,
    },
    /// A style has an unknown join or cap.
    #[error("the style of path tag {tag} has the flags {bits:#010x}, with an unknown join or cap")]
    BadStyle {
        /// The index of the style's path tag.
        tag: usize,
        /// The style's flags.
        bits: u32,
    },
    /// A coordinate, a transform or a style contains NaN.
    #[error("path {path} has a coordinate that is NaN; check its shape, transform and style")]
    NotANumber {
        /// The index of the path, from 0.
        path: usize,
    },
    /// The last path is unfinished.
    #[error("the path tags end inside path {path}")]
    PathOpen {
        /// The index of the path, from 0.
        path: usize,
    },
    /// The number of paths differs from the number of draw objects.
    #[error("{objects} draw objects need {objects} paths, but there are {paths}")]
    PathsDiffer {
        /// The number of draw objects.
        objects: usize,
        /// The number of paths.
        paths: usize,
    },
    /// A draw tag is unknown.
    #[error("draw object {object} has the unknown tag {bits:#x}")]
    UnknownDrawTag {
        /// The index of the draw object.
        object: usize,
        /// The value of the draw tag.
        bits: u32,
    },
    /// The draw data ends too early.
    #[error("the draw data ends before the data of draw object {object}")]
    DrawDataEnds {
        /// The index of the draw object.
        object: usize,
    },
    /// A draw object ends a layer while none is open.
    #[error("draw object {object} ends a layer, but none is open")]
    NothingOpen {
        /// The index of the draw object.
        object: usize,
    },
    /// A glyph run refers to data outside the encoding.
    #[error("glyph run {run}: {problem}")]
    BadGlyphRun {
        /// The index of the run.
        run: usize,
        /// A description of the problem.
        problem: &'static str,
    },
    /// The elements do not form a stream.
    #[error(transparent)]
    Build(#[from] BuildError),
}
